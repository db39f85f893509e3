//! Where everything that the app keeps lies. No other file of the app makes up a path of its own.

use std::path::{Path, PathBuf};

use super::StoreError;
use super::saves::check_id;

/// The data folder and the files in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    data_dir: PathBuf,
}

impl Paths {
    /// The data folder of a desktop: `data_dir` if the player named one, else the platform's own
    /// (`~/.local/share/qiju`, `%APPDATA%\Qiju\data`, `~/Library/Application Support/Qiju`).
    ///
    /// # Errors
    /// [`StoreError::NoHome`] if none was named and the system knows no home folder.
    pub fn new(data_dir: Option<PathBuf>) -> Result<Self, StoreError> {
        match data_dir {
            Some(dir) => Ok(Self::at(dir)),
            None => directories::ProjectDirs::from("", "", "Qiju")
                .map(|dirs| Self::at(dirs.data_dir().to_path_buf()))
                .ok_or(StoreError::NoHome),
        }
    }

    /// A data folder that the platform names, as Android's activity does.
    ///
    /// A relative path is taken from the folder in which the program runs now.
    pub fn at(data_dir: PathBuf) -> Self {
        // Made absolute at once, so that a later change of the current folder moves nothing.
        let data_dir = std::path::absolute(&data_dir).unwrap_or(data_dir);
        Self { data_dir }
    }

    /// The folder that holds everything.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// `settings.toml`.
    pub fn settings_file(&self) -> PathBuf {
        self.data_dir.join("settings.toml")
    }

    /// `progress.toml`: levels and statistics.
    pub fn progress_file(&self) -> PathBuf {
        self.data_dir.join("progress.toml")
    }

    /// `plugins.toml`: which plugin files the player agreed to.
    pub fn trust_file(&self) -> PathBuf {
        self.data_dir.join("plugins.toml")
    }

    /// The folder of the saved games.
    pub fn saves_dir(&self) -> PathBuf {
        self.data_dir.join("saves")
    }

    /// The saved game of one plugin.
    ///
    /// # Errors
    /// [`StoreError::BadId`] for an id that is no safe file name on every platform.
    pub fn save_file(&self, id: &str) -> Result<PathBuf, StoreError> {
        check_id(id)?;
        Ok(self.saves_dir().join(format!("{id}.toml")))
    }

    /// The folder into which the player drops plugins.
    pub fn plugins_dir(&self) -> PathBuf {
        self.data_dir.join("plugins")
    }

    /// The log.
    pub fn log_file(&self) -> PathBuf {
        self.data_dir.join("qiju.log")
    }

    /// The file whose lock says that a copy of the app is running on this folder.
    pub fn lock_file(&self) -> PathBuf {
        self.data_dir.join("qiju.lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_lies_in_the_folder_that_was_named() {
        let dir = std::env::temp_dir().join("some data");
        let paths = Paths::new(Some(dir.clone())).unwrap();
        assert_eq!(paths.data_dir(), dir);
        for path in [
            paths.settings_file(),
            paths.progress_file(),
            paths.trust_file(),
            paths.saves_dir(),
            paths.save_file("a-game").unwrap(),
            paths.plugins_dir(),
            paths.log_file(),
            paths.lock_file(),
        ] {
            assert!(path.starts_with(&dir), "{}", path.display());
        }
        assert!(
            paths
                .save_file("a-game")
                .unwrap()
                .ends_with("saves/a-game.toml")
        );
    }

    #[test]
    fn a_relative_folder_becomes_absolute() {
        let paths = Paths::at(PathBuf::from("here"));
        assert_eq!(
            paths.data_dir(),
            std::env::current_dir().unwrap().join("here")
        );
    }

    #[test]
    fn the_platform_names_a_folder_of_our_own() {
        // A system without a home folder is the one case in which there is none.
        match Paths::new(None) {
            Ok(paths) => {
                let text = paths.data_dir().to_string_lossy().to_lowercase();
                assert!(text.contains("qiju"), "{text}");
            }
            Err(error) => assert_eq!(error, StoreError::NoHome),
        }
    }

    #[test]
    fn an_id_cannot_leave_the_folder() {
        let paths = Paths::at(std::env::temp_dir());
        assert_eq!(
            paths.save_file("../settings"),
            Err(StoreError::BadId {
                id: "../settings".to_owned()
            })
        );
    }
}
