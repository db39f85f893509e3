//! Files as they are found on disk: judged here, mended here, understood elsewhere.
//!
//! A file is sound if it is TOML and its key `format` is one that we know (absent counts as
//! [`FORMAT`]). A damaged file is kept aside and its backup takes its place; a newer one and one
//! that the system cannot read at the moment stay as they are.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use toml::{Table, Value};

use super::atomic::{backup_of, keep_aside, replace};
use super::error::{IoCause, StoreError};
use super::notice::{Damage, Notice, Notices};

/// The format of every file that this version writes, in its key `format`.
pub const FORMAT: i64 = 1;

/// The largest file that is read, in bytes: a thousand times what a long game takes.
const SIZE_MAX: u64 = 16 << 20;

/// What is under a name.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing.
    Missing,
    /// A file of ours.
    Sound { text: String, table: Table },
    /// A file of a newer version.
    Newer { table: Table, found: i64 },
    /// Something that is no use to anybody.
    Damaged(Damage),
    /// The system cannot read it now. It may be sound.
    Unreadable(IoCause),
}

/// Looks at what is under a name. Changes nothing.
pub(super) fn read(path: &Path) -> Content {
    match read_text(path) {
        Ok(None) => Content::Missing,
        Ok(Some(text)) => match judge(&text) {
            Ok((table, FORMAT)) => Content::Sound { text, table },
            Ok((table, found)) => Content::Newer { table, found },
            Err(damage) => Content::Damaged(damage),
        },
        Err(ReadError::Damage(damage)) => Content::Damaged(damage),
        Err(ReadError::Io(cause)) => Content::Unreadable(cause),
    }
}

enum ReadError {
    Damage(Damage),
    Io(IoCause),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match IoCause::from(&error) {
            IoCause::Denied => Self::Damage(Damage::Denied),
            cause => Self::Io(cause),
        }
    }
}

fn read_text(path: &Path) -> Result<Option<String>, ReadError> {
    // Asked first: opening a pipe would wait for somebody to write to it.
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(ReadError::Damage(Damage::NotAFile)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link to nowhere is something, too: writing would replace it.
            return match fs::symlink_metadata(path) {
                Ok(_) => Err(ReadError::Damage(Damage::NotAFile)),
                Err(_) => Ok(None),
            };
        }
        // One of the folders above is a file.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(SIZE_MAX + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SIZE_MAX {
        return Err(ReadError::Damage(Damage::TooLarge { limit: SIZE_MAX }));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let sound = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(error.as_bytes().get(..sound).unwrap_or_default())
                .into_owned();
            let (line, column) = position(&before, before.len());
            Err(ReadError::Damage(Damage::NotUtf8 { line, column }))
        }
    }
}

/// Reads a text as TOML and gives it with its format: [`FORMAT`], or a higher one.
///
/// # Errors
/// What is wrong with the text, and where.
pub(super) fn judge(text: &str) -> Result<(Table, i64), Damage> {
    if text.trim().is_empty() {
        return Err(Damage::Empty);
    }
    let table: Table = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let (line, column) = position(text, start);
        Damage::Syntax {
            line,
            column,
            message: error.message().replace('\n', ", "),
        }
    })?;
    match table.get("format") {
        None => Ok((table, FORMAT)),
        Some(Value::Integer(format)) if *format >= FORMAT => {
            let format = *format;
            Ok((table, format))
        }
        Some(other) => Err(Damage::BadFormat {
            value: shorten(&other.to_string()),
        }),
    }
}

/// Line and column, from 1, of a byte of a text.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before: String = text
        .char_indices()
        .take_while(|(i, _)| *i < byte)
        .map(|(_, c)| c)
        .collect();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

/// A value of a file in few enough characters for a message.
pub(super) fn shorten(value: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut short: String = value.chars().take(MAX_CHARS).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    short
}

/// What a load came to.
pub(super) enum Loaded {
    /// There is nothing, or nothing of use: begin anew.
    Missing,
    /// The file, or its backup if the file was damaged.
    Sound { text: String, table: Table },
    /// A newer version's file: read what you can, write nothing.
    Newer { table: Table, found: i64 },
    /// There is a file that cannot be read now.
    Unreadable(IoCause),
}

/// Reads a file, mends it from its backup if it is damaged, and says so.
///
/// With `mend` false (another copy is running) nothing on the disk is changed.
pub(super) fn load(path: &Path, mend: bool, notices: &Notices) -> Loaded {
    match read(path) {
        Content::Missing => Loaded::Missing,
        Content::Sound { text, table } => Loaded::Sound { text, table },
        Content::Newer { table, found } => {
            notices.push_once(Notice::Newer {
                path: path.to_owned(),
                found,
                known: FORMAT,
            });
            Loaded::Newer { table, found }
        }
        Content::Unreadable(cause) => {
            notices.push_once(Notice::Unreadable {
                path: path.to_owned(),
                cause: cause.clone(),
            });
            Loaded::Unreadable(cause)
        }
        Content::Damaged(damage) => load_backup(path, damage, mend, notices),
    }
}

fn load_backup(path: &Path, damage: Damage, mend: bool, notices: &Notices) -> Loaded {
    let backup = backup_of(path);
    let restored = match read(&backup) {
        Content::Sound { text, table } => Some((text, table)),
        Content::Missing => None,
        Content::Damaged(damage) => {
            // Out of the way of the next backup, which would overwrite it.
            set_aside(&backup, damage, true, mend, notices);
            None
        }
        Content::Newer { found, .. } => {
            let mut kept = backup.clone();
            if mend {
                match keep_aside(&backup, true) {
                    Ok(aside) => kept = aside,
                    Err(error) => tracing::warn!("{} cannot be moved: {error}", backup.display()),
                }
            }
            notices.push_once(Notice::Newer {
                path: kept,
                found,
                known: FORMAT,
            });
            None
        }
        Content::Unreadable(cause) => {
            notices.push_once(Notice::Unreadable {
                path: backup.clone(),
                cause,
            });
            None
        }
    };
    let moved = set_aside(path, damage, restored.is_none(), mend, notices);
    let Some((text, table)) = restored else {
        return Loaded::Missing;
    };
    if moved && let Err(error) = replace(path, text.as_bytes(), None) {
        let error = StoreError::Write {
            path: path.to_owned(),
            cause: IoCause::from(&error),
        };
        notices.push(Notice::WriteFailed {
            path: path.to_owned(),
            error,
        });
    }
    notices.push_once(Notice::BackupUsed {
        path: path.to_owned(),
        backup,
    });
    Loaded::Sound { text, table }
}

/// Keeps a damaged file aside (`free`: see [`keep_aside`]) and says so; false if it is still
/// where it was.
fn set_aside(path: &Path, damage: Damage, free: bool, mend: bool, notices: &Notices) -> bool {
    let aside = if mend {
        keep_aside(path, free)
            .inspect_err(|error| tracing::warn!("{} cannot be moved: {error}", path.display()))
            .ok()
    } else {
        None
    };
    let moved = aside.is_some();
    notices.push_once(Notice::Broken {
        path: path.to_owned(),
        damage,
        aside,
    });
    moved
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    struct Folder {
        dir: tempfile::TempDir,
        notices: Notices,
    }

    impl Folder {
        fn new() -> Self {
            Self {
                dir: tempfile::tempdir().unwrap(),
                notices: Notices::default(),
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn put(&self, name: &str, content: impl AsRef<[u8]>) {
            fs::write(self.path(name), content).unwrap();
        }

        fn text(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.path(name)).ok()
        }

        fn load(&self, mend: bool) -> Loaded {
            load(&self.path("a.toml"), mend, &self.notices)
        }
    }

    fn damage(text: &[u8]) -> Damage {
        let folder = Folder::new();
        folder.put("a.toml", text);
        match read(&folder.path("a.toml")) {
            Content::Damaged(damage) => damage,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_damaged_file_is_described_by_place_and_cause() {
        assert_eq!(damage(b""), Damage::Empty);
        assert_eq!(damage(b" \n\n"), Damage::Empty);
        assert_eq!(
            damage(b"a = 1\nb = \"\xff\""),
            Damage::NotUtf8 { line: 2, column: 6 }
        );
        assert_eq!(
            damage(b"format = 0"),
            Damage::BadFormat {
                value: "0".to_owned()
            }
        );
        assert_eq!(
            damage(b"format = \"new\""),
            Damage::BadFormat {
                value: "\"new\"".to_owned()
            }
        );
        assert!(matches!(
            damage(b"a = 1\n\xe6\xa3\x8b = 2"),
            Damage::Syntax {
                line: 2,
                column: 1,
                ..
            }
        ));
        assert!(matches!(
            damage(b"a = 1\nb = [1, 2"),
            Damage::Syntax { line: 2, .. }
        ));
        assert!(matches!(damage(&[0; 512]), Damage::Syntax { line: 1, .. }));
        assert!(matches!(
            damage(b"a = 1\na = 2"),
            Damage::Syntax { line: 2, .. }
        ));
        assert!(matches!(
            damage("a = ".repeat(9).as_bytes()),
            Damage::Syntax { line: 1, .. }
        ));
    }

    #[test]
    fn a_file_made_to_harm_is_only_damaged() {
        assert!(matches!(
            damage(format!("a = {}", "[".repeat(200_000)).as_bytes()),
            Damage::Syntax { .. }
        ));
        assert!(matches!(
            damage(format!("a = {}", "{b=".repeat(200_000)).as_bytes()),
            Damage::Syntax { .. }
        ));
        let folder = Folder::new();
        fs::File::create(folder.path("a.toml"))
            .unwrap()
            .set_len(SIZE_MAX + 1)
            .unwrap();
        assert!(matches!(
            read(&folder.path("a.toml")),
            Content::Damaged(Damage::TooLarge { limit: SIZE_MAX })
        ));
    }

    #[test]
    fn every_cut_of_a_file_is_read_or_refused_without_a_panic() {
        let text = "format = 1\nname = \"棋局\"\n[games.a-game.options]\nsize = 9\nlist = [1, 2]\n";
        let mut refused = 0;
        for cut in 0..text.len() {
            let folder = Folder::new();
            folder.put("a.toml", &text.as_bytes()[..cut]);
            match read(&folder.path("a.toml")) {
                Content::Damaged(_) => refused += 1,
                Content::Sound { .. } => {}
                other => panic!("cut at {cut}: {other:?}"),
            }
        }
        assert!(refused > text.len() / 2, "{refused}");
    }

    #[test]
    fn sound_files_are_read_with_and_without_a_format_and_a_mark() {
        for text in ["format = 1\na = 2\n", "a = 2", "\u{feff}a = 2\r\n"] {
            let folder = Folder::new();
            folder.put("a.toml", text);
            let Loaded::Sound { table, .. } = folder.load(true) else {
                panic!("{text:?}")
            };
            assert_eq!(table.get("a"), Some(&Value::Integer(2)));
            assert_eq!(folder.notices.take(), []);
        }
    }

    #[test]
    fn the_backup_takes_the_place_of_a_damaged_file() {
        let folder = Folder::new();
        folder.put("a.toml", "a = ");
        folder.put("a.toml.bak", "a = 1");
        let Loaded::Sound { text, .. } = folder.load(true) else {
            panic!()
        };
        assert_eq!(text, "a = 1");
        assert_eq!(folder.text("a.toml").as_deref(), Some("a = 1"));
        assert_eq!(folder.text("a.toml.bak").as_deref(), Some("a = 1"));
        assert_eq!(folder.text("a.toml.broken-1").as_deref(), Some("a = "));
        let notices = folder.notices.take();
        assert!(
            matches!(&notices[..], [
                Notice::Broken { damage: Damage::Syntax { line: 1, .. }, aside: Some(aside), .. },
                Notice::BackupUsed { .. },
            ] if *aside == folder.path("a.toml.broken-1")),
            "{notices:?}"
        );
        // Mended: nothing more to say.
        assert!(matches!(folder.load(true), Loaded::Sound { .. }));
        assert_eq!(folder.notices.take(), []);
    }

    #[test]
    fn two_damaged_files_are_both_kept() {
        let folder = Folder::new();
        folder.put("a.toml", "main");
        folder.put("a.toml.bak", "backup");
        assert!(matches!(folder.load(true), Loaded::Missing));
        assert_eq!(folder.text("a.toml"), None);
        assert_eq!(folder.text("a.toml.bak"), None);
        assert_eq!(folder.text("a.toml.broken-1").as_deref(), Some("main"));
        assert_eq!(
            folder.text("a.toml.bak.broken-1").as_deref(),
            Some("backup")
        );
        assert_eq!(folder.notices.take().len(), 2);
    }

    #[test]
    fn a_backup_without_a_file_is_no_file() {
        // Whoever removed the file wants to begin anew.
        let folder = Folder::new();
        folder.put("a.toml.bak", "a = 1");
        assert!(matches!(folder.load(true), Loaded::Missing));
        assert_eq!(folder.text("a.toml.bak").as_deref(), Some("a = 1"));
    }

    #[test]
    fn a_folder_a_link_to_nowhere_and_a_closed_file_are_kept_aside() {
        let folder = Folder::new();
        fs::create_dir(folder.path("a.toml")).unwrap();
        folder.put("a.toml/inside", "kept");
        folder.put("a.toml.bak", "a = 1");
        assert!(matches!(folder.load(true), Loaded::Sound { .. }));
        assert_eq!(folder.text("a.toml").as_deref(), Some("a = 1"));
        assert_eq!(
            folder.text("a.toml.broken-1/inside").as_deref(),
            Some("kept")
        );
        #[cfg(unix)]
        {
            let folder = Folder::new();
            std::os::unix::fs::symlink("/nowhere at all", folder.path("a.toml")).unwrap();
            assert!(matches!(folder.load(true), Loaded::Missing));
            assert!(fs::symlink_metadata(folder.path("a.toml")).is_err());
            assert!(fs::read_link(folder.path("a.toml.broken-1")).is_ok());
        }
    }

    #[test]
    fn a_newer_file_stays_and_a_newer_backup_is_not_used() {
        let folder = Folder::new();
        folder.put("a.toml", "format = 2\na = 5");
        let Loaded::Newer { table, found: 2 } = folder.load(true) else {
            panic!()
        };
        assert_eq!(table.get("a"), Some(&Value::Integer(5)));
        assert_eq!(folder.text("a.toml").as_deref(), Some("format = 2\na = 5"));
        assert_eq!(
            folder.notices.take(),
            [Notice::Newer {
                path: folder.path("a.toml"),
                found: 2,
                known: 1
            }]
        );

        let folder = Folder::new();
        folder.put("a.toml", "?");
        folder.put("a.toml.bak", "format = 2");
        assert!(matches!(folder.load(true), Loaded::Missing));
        assert_eq!(
            folder.text("a.toml.bak.broken-1").as_deref(),
            Some("format = 2")
        );
    }

    #[test]
    fn a_second_copy_reads_the_backup_and_moves_nothing() {
        let folder = Folder::new();
        folder.put("a.toml", "?");
        folder.put("a.toml.bak", "a = 1");
        for _ in 0..2 {
            let Loaded::Sound { text, .. } = folder.load(false) else {
                panic!()
            };
            assert_eq!(text, "a = 1");
        }
        assert_eq!(folder.text("a.toml").as_deref(), Some("?"));
        assert_eq!(fs::read_dir(folder.dir.path()).unwrap().count(), 2);
        let notices = folder.notices.take();
        assert!(
            matches!(
                &notices[..],
                [
                    Notice::Broken { aside: None, .. },
                    Notice::BackupUsed { .. }
                ]
            ),
            "{notices:?}"
        );
    }

    #[test]
    fn positions_count_characters_from_one() {
        assert_eq!(position("ab\n棋c", 0), (1, 1));
        assert_eq!(position("ab\n棋c", 3), (2, 1));
        assert_eq!(position("ab\n棋c", 6), (2, 2));
        assert_eq!(position("ab\n棋c", 99), (2, 3));
    }
}
