//! Cheap checks of a library file's own tables, before the system opens it.
//!
//! The system's loaders trust these tables: a file that ends too early can kill
//! the process (SIGBUS) instead of giving an error, and one for another system
//! gives an error that nobody understands. Only headers are read here; a file
//! that passes can still be refused by the loader.

use super::load_error::LoadCause;

/// Format of library files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Linux and Android.
    Elf,
    /// Windows.
    Pe,
    /// macOS.
    MachO,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Elf => "ELF",
            Self::Pe => "PE/Windows",
            Self::MachO => "Mach-O/macOS",
        }
    }
}

/// What a library must be to be opened on a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native {
    /// The system's file format.
    pub format: Format,
    /// The processor, by the name that Rust gives it.
    pub arch: &'static str,
}

/// The system that this app was built for.
pub const HOST: Native = Native {
    format: if cfg!(windows) {
        Format::Pe
    } else if cfg!(target_vendor = "apple") {
        Format::MachO
    } else {
        Format::Elf
    },
    arch: std::env::consts::ARCH,
};

/// Checks that `bytes` are a whole shared library for `native`.
///
/// # Errors
/// What it is instead, or where it ends too early.
pub fn check(bytes: &[u8], native: Native) -> Result<(), LoadCause> {
    if bytes.is_empty() {
        return Err(LoadCause::Empty);
    }
    let found = match bytes {
        [0x7f, b'E', b'L', b'F', ..] => Format::Elf,
        [b'M', b'Z', ..] => Format::Pe,
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => Format::MachO,
        // A universal file; a Java class begins alike, but its next number is a version above 40.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0..40, ..] => Format::MachO,
        _ => return Err(LoadCause::NotALibrary),
    };
    if found != native.format {
        return Err(LoadCause::WrongPlatform {
            found: found.name().to_owned(),
            wanted: native.format.name().to_owned(),
        });
    }
    match found {
        Format::Elf => elf(Bytes(bytes), native.arch),
        Format::Pe => pe(Bytes(bytes), native.arch),
        Format::MachO => mach_o(bytes, native.arch),
    }
}

/// Little-endian numbers at offsets that may lie outside.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn array<const N: usize>(self, at: u64) -> Result<[u8; N], LoadCause> {
        let wanted = at.saturating_add(N as u64);
        self.holds(wanted)?;
        usize::try_from(at)
            .ok()
            .and_then(|at| self.0.get(at..)?.first_chunk().copied())
            .ok_or_else(|| self.truncated(wanted))
    }

    fn u16(self, at: u64) -> Result<u16, LoadCause> {
        self.array(at).map(u16::from_le_bytes)
    }

    fn u32(self, at: u64) -> Result<u32, LoadCause> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn u64(self, at: u64) -> Result<u64, LoadCause> {
        self.array(at).map(u64::from_le_bytes)
    }

    /// Checks that the file has at least `end` bytes.
    fn holds(self, end: u64) -> Result<(), LoadCause> {
        if end > self.0.len() as u64 {
            return Err(self.truncated(end));
        }
        Ok(())
    }

    /// Checks that the file holds `size` bytes from `offset`.
    fn holds_range(self, offset: u64, size: u64) -> Result<(), LoadCause> {
        self.holds(offset.saturating_add(size))
    }

    fn truncated(self, needs: u64) -> LoadCause {
        LoadCause::Truncated {
            needs,
            has: self.0.len() as u64,
        }
    }
}

fn same_arch(found: &str, wanted: &str) -> Result<(), LoadCause> {
    if found != wanted {
        return Err(LoadCause::WrongArchitecture {
            found: found.to_owned(),
            wanted: wanted.to_owned(),
        });
    }
    Ok(())
}

/// ELF, by the System V gABI, chapters 4 and 5.
fn elf(file: Bytes<'_>, arch: &str) -> Result<(), LoadCause> {
    const CLASS_64: u8 = 2;
    const LITTLE_ENDIAN: u8 = 1;
    const TYPE_SHARED: u16 = 3;
    const SECTION_WITHOUT_BYTES: u32 = 8;

    let [class, data] = file.array(4)?;
    let machine = file.u16(18)?;
    if data != LITTLE_ENDIAN {
        return same_arch("big-endian", arch);
    }
    let name = match machine {
        3 => "x86",
        40 => "arm",
        62 if class == CLASS_64 => "x86_64",
        62 => "x86_64 (x32)",
        183 => "aarch64",
        243 if class == CLASS_64 => "riscv64",
        243 => "riscv32",
        258 => "loongarch64",
        other => return same_arch(&format!("ELF machine {other}"), arch),
    };
    same_arch(name, arch)?;
    if class != CLASS_64 {
        return same_arch("32-bit", arch);
    }
    if file.u16(16)? != TYPE_SHARED {
        return Err(LoadCause::NotShared);
    }
    let (segments, sections) = (file.u64(32)?, file.u64(40)?);
    let (segment_size, segment_count): (u64, u64) = (file.u16(54)?.into(), file.u16(56)?.into());
    let (section_size, section_count): (u64, u64) = (file.u16(58)?.into(), file.u16(60)?.into());
    file.holds_range(segments, segment_count * segment_size)?;
    // The section table is what linkers write last.
    file.holds_range(sections, section_count * section_size)?;
    for i in 0..segment_count {
        let at = segments + i * segment_size;
        file.holds_range(file.u64(at + 8)?, file.u64(at + 32)?)?;
    }
    for i in 0..section_count {
        let at = sections + i * section_size;
        if file.u32(at + 4)? != SECTION_WITHOUT_BYTES {
            file.holds_range(file.u64(at + 24)?, file.u64(at + 32)?)?;
        }
    }
    Ok(())
}

/// PE, by Microsoft's "PE Format".
fn pe(file: Bytes<'_>, arch: &str) -> Result<(), LoadCause> {
    const IS_DLL: u16 = 0x2000;
    const HEADER_BYTES: u64 = 24;
    const SECTION_BYTES: u64 = 40;

    let header: u64 = file.u32(0x3c)?.into();
    if file.array(header)? != *b"PE\0\0" {
        return Err(LoadCause::NotALibrary);
    }
    match file.u16(header + 4)? {
        0x8664 => same_arch("x86_64", arch)?,
        0xaa64 => same_arch("aarch64", arch)?,
        0x014c => same_arch("x86", arch)?,
        other => same_arch(&format!("PE machine {other:#06x}"), arch)?,
    }
    if file.u16(header + 22)? & IS_DLL == 0 {
        return Err(LoadCause::NotShared);
    }
    let sections = header + HEADER_BYTES + u64::from(file.u16(header + 20)?);
    for i in 0..u64::from(file.u16(header + 6)?) {
        let at = sections + i * SECTION_BYTES;
        file.holds_range(file.u32(at + 20)?.into(), file.u32(at + 16)?.into())?;
    }
    Ok(())
}

/// Mach-O, by Apple's `mach-o/loader.h` and `mach-o/fat.h`.
fn mach_o(bytes: &[u8], arch: &str) -> Result<(), LoadCause> {
    const FAT_HEADER_BYTES: u64 = 8;
    const FAT_ENTRY_BYTES: u64 = 20;

    let file = Bytes(bytes);
    if bytes.first() != Some(&0xca) {
        return thin_mach_o(file, arch);
    }
    // A universal file: big-endian, with one slice for each processor.
    let big = |at| file.array(at).map(u32::from_be_bytes);
    let mut found = Vec::new();
    for i in 0..u64::from(big(4)?) {
        let at = FAT_HEADER_BYTES + i * FAT_ENTRY_BYTES;
        let name = mach_arch(big(at)?);
        if name != arch {
            found.push(name);
            continue;
        }
        let (offset, size) = (u64::from(big(at + 8)?), u64::from(big(at + 12)?));
        file.holds_range(offset, size)?;
        let slice = usize::try_from(offset)
            .ok()
            .zip(usize::try_from(offset + size).ok())
            .and_then(|(from, to)| bytes.get(from..to))
            .ok_or_else(|| file.truncated(offset + size))?;
        return thin_mach_o(Bytes(slice), arch);
    }
    same_arch(&found.join(", "), arch)
}

fn mach_arch(cpu: u32) -> String {
    match cpu {
        0x0100_0007 => "x86_64".to_owned(),
        0x0100_000c => "aarch64".to_owned(),
        0x0000_0007 => "x86".to_owned(),
        other => format!("Mach-O processor {other:#010x}"),
    }
}

fn thin_mach_o(file: Bytes<'_>, arch: &str) -> Result<(), LoadCause> {
    const MAGIC_64: u32 = 0xfeed_facf;
    const DYLIB: u32 = 6;
    const BUNDLE: u32 = 8;
    const HEADER_BYTES: u64 = 32;
    const SEGMENT_64: u32 = 0x19;
    const LEAST_COMMAND: u32 = 8;

    same_arch(&mach_arch(file.u32(4)?), arch)?;
    if file.u32(0)? != MAGIC_64 || ![DYLIB, BUNDLE].contains(&file.u32(12)?) {
        return Err(LoadCause::NotShared);
    }
    file.holds_range(HEADER_BYTES, file.u32(20)?.into())?;
    let mut at = HEADER_BYTES;
    for _ in 0..file.u32(16)? {
        let size = file.u32(at + 4)?;
        if size < LEAST_COMMAND {
            return Err(LoadCause::NotALibrary);
        }
        if file.u32(at)? == SEGMENT_64 {
            file.holds_range(file.u64(at + 40)?, file.u64(at + 48)?)?;
        }
        at += u64::from(size);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELF: Native = Native {
        format: Format::Elf,
        arch: "x86_64",
    };
    const PE: Native = Native {
        format: Format::Pe,
        arch: "x86_64",
    };
    const MACH_O: Native = Native {
        format: Format::MachO,
        arch: "aarch64",
    };

    fn put(bytes: &mut [u8], at: usize, number: &[u8]) {
        bytes[at..at + number.len()].copy_from_slice(number);
    }

    /// A header with one segment and one section, and the bytes that they name.
    fn elf(arch: u16) -> Vec<u8> {
        let mut file = vec![0; 64 + 56 + 100 + 64];
        put(&mut file, 0, b"\x7fELF\x02\x01\x01");
        put(&mut file, 16, &3_u16.to_le_bytes());
        put(&mut file, 18, &arch.to_le_bytes());
        put(&mut file, 32, &64_u64.to_le_bytes());
        put(&mut file, 40, &220_u64.to_le_bytes());
        for (at, number) in [(54, 56_u16), (56, 1), (58, 64), (60, 1)] {
            put(&mut file, at, &number.to_le_bytes());
        }
        put(&mut file, 64 + 8, &120_u64.to_le_bytes());
        put(&mut file, 64 + 32, &100_u64.to_le_bytes());
        file
    }

    /// A header with one section of 32 bytes.
    fn pe() -> Vec<u8> {
        let mut file = vec![0; 64 + 24 + 40 + 32];
        put(&mut file, 0, b"MZ");
        put(&mut file, 0x3c, &64_u32.to_le_bytes());
        put(&mut file, 64, b"PE\0\0");
        put(&mut file, 64 + 4, &0x8664_u16.to_le_bytes());
        put(&mut file, 64 + 6, &1_u16.to_le_bytes());
        put(&mut file, 64 + 22, &0x2000_u16.to_le_bytes());
        put(&mut file, 88 + 16, &32_u32.to_le_bytes());
        put(&mut file, 88 + 20, &128_u32.to_le_bytes());
        file
    }

    /// A header with one segment of 32 bytes.
    fn mach_o() -> Vec<u8> {
        let mut file = vec![0; 32 + 72 + 32];
        for (at, number) in [
            (0, 0xfeed_facf_u32),
            (4, 0x0100_000c),
            (12, 6),
            (16, 1),
            (20, 72),
            (32, 0x19),
            (36, 72),
        ] {
            put(&mut file, at, &number.to_le_bytes());
        }
        put(&mut file, 32 + 40, &104_u64.to_le_bytes());
        put(&mut file, 32 + 48, &32_u64.to_le_bytes());
        file
    }

    /// A universal file around a slice at its end.
    fn universal(slice: &[u8]) -> Vec<u8> {
        let mut file = vec![0; 8 + 20];
        for (at, number) in [
            (0, 0xcafe_babe_u32),
            (4, 1),
            (8, 0x0100_000c),
            (16, 28),
            (20, slice.len() as u32),
        ] {
            put(&mut file, at, &number.to_be_bytes());
        }
        file.extend(slice);
        file
    }

    #[test]
    fn whole_files_pass_and_no_shorter_ones() {
        for (file, native) in [
            (elf(62), ELF),
            (pe(), PE),
            (mach_o(), MACH_O),
            (universal(&mach_o()), MACH_O),
        ] {
            assert_eq!(check(&file, native), Ok(()));
            for len in 0..file.len() {
                let cut = check(&file[..len], native);
                match len {
                    0 => assert_eq!(cut, Err(LoadCause::Empty)),
                    1..8 => assert!(cut.is_err(), "{native:?} cut to {len}"),
                    _ => assert!(
                        matches!(cut, Err(LoadCause::Truncated { .. })),
                        "{native:?} cut to {len}: {cut:?}"
                    ),
                }
            }
        }
    }

    #[test]
    fn files_for_others_are_named() {
        let wrong = |found: &str, wanted: &str| {
            Err(LoadCause::WrongArchitecture {
                found: found.to_owned(),
                wanted: wanted.to_owned(),
            })
        };
        assert_eq!(check(&elf(183), ELF), wrong("aarch64", "x86_64"));
        assert_eq!(check(&elf(9999), ELF), wrong("ELF machine 9999", "x86_64"));
        let intel = Native {
            arch: "x86_64",
            ..MACH_O
        };
        assert_eq!(check(&mach_o(), intel), wrong("aarch64", "x86_64"));
        assert_eq!(
            check(&universal(&mach_o()), intel),
            wrong("aarch64", "x86_64")
        );
        assert_eq!(
            check(&pe(), ELF),
            Err(LoadCause::WrongPlatform {
                found: "PE/Windows".to_owned(),
                wanted: "ELF".to_owned()
            })
        );
        assert_eq!(check(b"#!/bin/sh\n", ELF), Err(LoadCause::NotALibrary));
        let mut program = elf(62);
        put(&mut program, 16, &2_u16.to_le_bytes());
        assert_eq!(check(&program, ELF), Err(LoadCause::NotShared));
    }

    #[test]
    fn no_bytes_make_the_checks_panic() {
        use rand::{RngExt, SeedableRng};
        const SEED: u64 = 1;
        let mut rng = rand::rngs::StdRng::seed_from_u64(SEED);
        for (file, native) in [
            (elf(62), ELF),
            (pe(), PE),
            (mach_o(), MACH_O),
            (universal(&mach_o()), MACH_O),
        ] {
            for _ in 0..20_000 {
                let mut file = file.clone();
                for _ in 0..rng.random_range(1..4) {
                    let at = rng.random_range(4..file.len());
                    file[at] = rng.random();
                }
                // Any answer will do; a panic fails the test.
                let _ = check(&file, native);
            }
        }
    }
}
