//! Asking this system whether it has something. Looks only; changes nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Evidence, Probe};

/// How deep font folders are searched: theirs are two or three levels deep, and a link may make a circle.
const FONT_FOLDER_DEPTH: usize = 6;

/// The word by which `ldconfig -p` marks libraries of this processor; empty where it marks none.
const LDCONFIG_MARK: &str = if cfg!(target_arch = "x86_64") {
    "x86-64"
} else if cfg!(target_arch = "aarch64") {
    "AArch64"
} else {
    ""
};

/// The system that we run on.
pub struct System;

impl Probe for System {
    fn finds(&self, evidence: Evidence) -> bool {
        match evidence {
            Evidence::Program(name) => folders_of("PATH").any(|folder| folder.join(name).is_file()),
            Evidence::PkgConfig(module) => pkg_config_knows(module),
            Evidence::Library(soname) => {
                loader_knows(soname) || library_folders().any(|f| f.join(soname).is_file())
            }
            Evidence::AnyFont => font_folders()
                .iter()
                .any(|folder| holds_a_font(folder, FONT_FOLDER_DEPTH)),
        }
    }
}

/// The folders in a variable such as PATH.
fn folders_of(variable: &str) -> impl Iterator<Item = PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether pkg-config knows a module; the program may be named by PKG_CONFIG, as the build scripts allow.
fn pkg_config_knows(module: &str) -> bool {
    let program = std::env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let quiet =
        |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet(Command::new(program).args(["--exists", module])).is_ok_and(|status| status.success())
}

/// Whether the loader's cache lists a library.
fn loader_knows(soname: &str) -> bool {
    // The folder of system programs is not on the search path of every user.
    ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"]
        .iter()
        .find_map(|program| Command::new(program).arg("-p").output().ok())
        .is_some_and(|output| cache_lists(&String::from_utf8_lossy(&output.stdout), soname))
}

/// Whether an answer of `ldconfig -p` lists a library for this processor.
fn cache_lists(cache: &str, soname: &str) -> bool {
    cache
        .lines()
        .any(|line| match line.trim_start().split_once(' ') {
            Some((name, rest)) => name == soname && rest.contains(LDCONFIG_MARK),
            None => false,
        })
}

/// Where the loader looks, for systems without a cache.
fn library_folders() -> impl Iterator<Item = PathBuf> {
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let fixed = [
        "/lib64",
        "/usr/lib64",
        "/lib",
        "/usr/lib",
        "/usr/local/lib",
        &multiarch,
    ]
    .map(PathBuf::from);
    folders_of("LD_LIBRARY_PATH").chain(fixed)
}

/// The standard folders of fonts, system-wide and the user's own.
fn font_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["/usr/share/fonts", "/usr/local/share/fonts"]
        .map(PathBuf::from)
        .into();
    if let Some(home) = std::env::home_dir() {
        folders.extend([home.join(".fonts"), home.join(".local/share/fonts")]);
    }
    folders.extend(folders_of("XDG_DATA_HOME").map(|folder| folder.join("fonts")));
    folders
}

/// Whether a scalable font lies in a folder or at most `depth` folders below it.
fn holds_a_font(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let extension = path
            .extension()
            .map(|extension| extension.to_ascii_lowercase());
        let is_font =
            extension.is_some_and(|e| ["ttf", "otf", "ttc", "otc"].iter().any(|font| e == *font));
        if is_font {
            path.is_file()
        } else {
            depth > 0 && path.is_dir() && holds_a_font(&path, depth - 1)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_cache_is_read_by_exact_name_and_processor() {
        let cache = format!(
            "2 libs found in cache `/etc/ld.so.cache'\n\
             \tlibX11.so.6 (libc6,{LDCONFIG_MARK}) => /lib/libX11.so.6\n\
             \tlibXcursor.so.1 (libc6) => /lib/i386/libXcursor.so.1\n"
        );
        assert!(cache_lists(&cache, "libX11.so.6"));
        assert!(!cache_lists(&cache, "libX11.so"));
        assert!(!cache_lists(&cache, "libXi.so.6"));
        // A library of another processor does not help, where the cache tells them apart.
        assert_eq!(
            cache_lists(&cache, "libXcursor.so.1"),
            LDCONFIG_MARK.is_empty()
        );
        assert!(!cache_lists("", "libX11.so.6"));
    }

    #[test]
    fn fonts_are_found_below_folders_but_not_endlessly_deep() {
        let root = std::env::temp_dir().join(format!("xtask-fonts-{}", std::process::id()));
        let deep = root.join("a").join("b");
        std::fs::create_dir_all(&deep).expect("temporary folder");
        std::fs::write(deep.join("bitmap.pcf.gz"), "").expect("file");
        std::fs::create_dir_all(root.join("folder.ttf")).expect("a folder named like a font");
        assert!(!holds_a_font(&root, 6));
        std::fs::write(deep.join("Some.TTF"), "").expect("file");
        assert!(holds_a_font(&root, 2));
        assert!(!holds_a_font(&root, 1));
        std::fs::remove_dir_all(&root).expect("clean up");
        assert!(!holds_a_font(&root, 6));
    }

    #[test]
    fn programs_are_found_on_the_search_path() {
        if cfg!(unix) {
            assert!(System.finds(Evidence::Program("sh")));
        }
        assert!(!System.finds(Evidence::Program("no-such-program-anywhere")));
        assert!(!System.finds(Evidence::PkgConfig("no-such-module-anywhere")));
        assert!(!System.finds(Evidence::Library("libnosuch.so.0")));
    }
}
