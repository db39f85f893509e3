//! The character set of a file: found, read and written.
//!
//! In this order: a byte-order mark; the CA property; UTF-8 if the bytes are valid UTF-8; a guess
//! (`chardetng`, the detector of Firefox). FF\[4\] says Latin-1 where CA is absent, but hardly any real
//! file without it that is not ASCII means that.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// A decoded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text without a byte-order mark.
    pub text: String,
    /// What it was written in.
    pub encoding: &'static Encoding,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// How far into a file the CA property is looked for, in bytes.
const CA_WITHIN: usize = 1 << 16;

/// Decodes the bytes of a file.
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(length..).unwrap_or_default();
        return decode_as(rest, encoding);
    }
    let label = declared(bytes);
    if let Some(encoding) = label.and_then(by_label) {
        let decoded = decode_as(bytes, encoding);
        // Many a program writes CA[UTF-8] over bytes of another set.
        let is_wrong = decoded.problem.is_some() && encoding == UTF_8;
        if !is_wrong {
            return decoded;
        }
        let mut guessed = decode_as(bytes, guess(bytes));
        guessed.problem = Some(format!(
            "CA says UTF-8, which the file is not; read as {}",
            guessed.encoding.name()
        ));
        return guessed;
    }
    let mut decoded = decode_as(bytes, guess(bytes));
    if let Some(label) = label {
        let label = String::from_utf8_lossy(label);
        decoded.problem = Some(format!(
            "the character set {:?} is not known; read as {}",
            label.chars().take(40).collect::<String>(),
            decoded.encoding.name()
        ));
    }
    decoded
}

fn decode_as(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    Decoded {
        text: text.into_owned(),
        encoding,
        problem: had_errors.then(|| format!("some bytes are no characters of {}", encoding.name())),
    }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The value of the first CA property.
fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let head = bytes.get(..CA_WITHIN).unwrap_or(bytes);
    let start = (0..head.len()).find(|&i| {
        let is_name = head.get(i..i + 2) == Some(b"CA");
        let before = i.checked_sub(1).and_then(|i| head.get(i));
        let rest = head.get(i + 2..).unwrap_or_default().trim_ascii_start();
        is_name && !before.is_some_and(u8::is_ascii_alphanumeric) && rest.first() == Some(&b'[')
    })?;
    let value = head.get(start + 2..)?.trim_ascii_start().get(1..)?;
    let end = value.iter().position(|&b| b == b']')?;
    Some(value.get(..end)?.trim_ascii())
}

/// The encoding of a label, in the spellings of the Web and a few more that programs write.
fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).or_else(|| {
        let label = String::from_utf8_lossy(label).to_ascii_lowercase();
        let web = match label.replace(['_', ' '], "-").as_str() {
            "cp936" | "ms936" | "windows-936" => "gbk",
            "cp950" | "ms950" | "windows-950" => "big5",
            "cp932" | "ms932" | "windows-932" | "shiftjis" => "shift_jis",
            "cp949" | "ms949" | "windows-949" => "euc-kr",
            "cp1252" | "latin-1" | "iso8859-1" | "iso-latin-1" => "windows-1252",
            _ => return None,
        };
        Encoding::for_label(web.as_bytes())
    })
}

/// The encoding of a name that [`Decoded::encoding`] has.
pub fn by_name(name: &str) -> Option<&'static Encoding> {
    by_label(name.as_bytes())
}

/// Encodes a text, or `None` if the encoding lacks one of its characters (or is one that is only read,
/// such as UTF-16).
pub fn encode(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let (bytes, used, had_errors) = encoding.encode(text);
    (used == encoding && !had_errors).then(|| bytes.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GB18030, GBK, SHIFT_JIS, WINDOWS_1252};

    /// Names of players whose second bytes are `]` or `\` in one of the sets.
    const NASTY: &str = "許功蓋 表示 ソ能";

    #[test]
    fn what_is_declared_is_read() {
        for (label, encoding, text) in [
            ("gb2312", GBK, "古力 对 李世石"),
            ("GB18030", GB18030, "古力 对 㐀"),
            ("Big5", BIG5, "許功蓋"),
            ("Shift_JIS", SHIFT_JIS, "表示 ソ能"),
            ("SJIS", SHIFT_JIS, "表示"),
            ("ISO-8859-1", WINDOWS_1252, "Köln"),
            ("Latin1", WINDOWS_1252, "Köln"),
            ("CP936", GBK, "古力"),
            ("UTF-8", UTF_8, NASTY),
            ("utf8", UTF_8, NASTY),
        ] {
            let file = format!("(;CA[{label}]PB[{text}])");
            let (bytes, _, bad) = encoding.encode(&file);
            assert!(!bad, "{label}");
            let decoded = decode(&bytes);
            assert_eq!(decoded.text, file, "{label}");
            assert_eq!(decoded.problem, None, "{label}");
            assert_eq!(
                encode(&decoded.text, decoded.encoding),
                Some(bytes.into_owned())
            );
        }
    }

    #[test]
    fn what_is_not_declared_is_guessed() {
        let long = "(;PB[古力]PW[李世石]C[这是一盘非常精彩的对局，黑棋在中腹形成了很大的模样。])";
        assert_eq!(decode(long.as_bytes()).encoding, UTF_8);
        let (gbk, ..) = GBK.encode(long);
        let decoded = decode(&gbk);
        assert_eq!((decoded.text.as_str(), decoded.problem), (long, None));
        let with_bom = [b"\xEF\xBB\xBF", long.as_bytes()].concat();
        assert_eq!(decode(&with_bom).text, long);
        let utf16: Vec<u8> = [0xFEFF_u16]
            .into_iter()
            .chain(long.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(decode(&utf16).text, long);
    }

    #[test]
    fn a_wrong_declaration_is_said() {
        let text = "(;CA[UTF-8]PB[古力]C[这是一盘非常精彩的对局])";
        let (gbk, ..) = GBK.encode(text);
        let decoded = decode(&gbk);
        assert_eq!(decoded.text, text);
        assert!(decoded.problem.is_some_and(|p| p.contains("UTF-8")));
        let decoded = decode(b"(;CA[klingon])");
        assert!(decoded.problem.is_some_and(|p| p.contains("klingon")));
        // The letters may also be the end of another name, or text.
        assert_eq!(
            declared(b"(;PCA[x]C[no CA here]CA[big5]"),
            Some(&b"big5"[..])
        );
    }

    #[test]
    fn what_a_set_lacks_is_not_written_in_it() {
        assert_eq!(encode("古力", WINDOWS_1252), None);
        assert_eq!(encode("x", encoding_rs::UTF_16LE), None);
    }
}
