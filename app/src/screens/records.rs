//! Records as files: a browser of folders that opens one, or says where to save one.
//!
//! There is no dialog of the system's: Android has none that a game could use, and on the desktop one
//! would depend on what is installed. Which files are records, and what is in them, the games say.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use slint::ComponentHandle;

use super::{App, index, model, number, strings};
use crate::plugins::{GameError, Lang, Plugin};
use crate::session::{Record, Session, SessionError};
use crate::{FileRow, Page, Records, words};

/// A record is no larger than this, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// Rows that are shown of a folder.
const MAX_ROWS: usize = 1_000;

/// What the page is for, and where it stands.
pub(super) struct Browser {
    saving: bool,
    folder: PathBuf,
    entries: Vec<Entry>,
    places: Vec<(String, PathBuf)>,
    /// Formats that the game on the board can write: id, name, file ending.
    formats: Vec<[String; 3]>,
    format: usize,
    file_name: String,
    error: String,
    /// A file that exists already: whether to replace it is being asked.
    overwrites: Option<PathBuf>,
}

struct Entry {
    path: PathBuf,
    name: String,
    is_folder: bool,
    bytes: u64,
}

impl App {
    pub(super) fn bind_records(&self) {
        let screen = self.0.window.global::<Records>();
        let weak = self.weak();
        screen.on_open(move || weak.with(App::open_records));
        let weak = self.weak();
        screen.on_up(move || weak.with(App::folder_above));
        let weak = self.weak();
        screen.on_go(move |path| weak.with(|app| app.visit_folder(PathBuf::from(path.as_str()))));
        let weak = self.weak();
        screen.on_visit(move |place| weak.with(|app| app.visit_place(place)));
        let weak = self.weak();
        screen.on_choose(move |row| weak.with(|app| app.choose_file(row)));
        let weak = self.weak();
        screen.on_choose_format(move |format| weak.with(|app| app.choose_format(format)));
        let weak = self.weak();
        screen.on_save(move |name| weak.with(|app| app.save_record(&name)));
        let weak = self.weak();
        screen.on_overwrite(move |yes| weak.with(|app| app.overwrite_record(yes)));
        let weak = self.weak();
        screen.on_save_as(move || weak.with(App::open_save_as));
    }

    /// Opens the page that opens a record.
    pub fn open_records(&self) {
        self.open_browser(false, Vec::new(), String::new());
    }

    /// Opens the page that saves the record on the board.
    pub fn open_save_as(&self) {
        let lang = self.lang();
        let (formats, name) = {
            let state = self.0.state.borrow();
            let Some(play) = &state.play else { return };
            let plugin = play.session.plugin();
            let formats = writable(plugin, lang);
            let ending = formats.first().map_or("", |format| format[2].as_str());
            let name = format!("{}.{ending}", plugin.id());
            (formats, name)
        };
        if formats.is_empty() {
            return self.notice(words::no_record_format(lang));
        }
        self.open_browser(true, formats, name);
    }

    fn open_browser(&self, saving: bool, formats: Vec<[String; 3]>, file_name: String) {
        let lang = self.lang();
        let data_dir = self.data_dir();
        let mut state = self.0.state.borrow_mut();
        let known = state.browser.take().map(|browser| browser.folder);
        let places = places(lang, &data_dir);
        let first = places.first().map_or(data_dir, |(_, path)| path.clone());
        state.browser = Some(Browser {
            saving,
            folder: known.unwrap_or(first),
            entries: Vec::new(),
            places,
            formats,
            format: 0,
            file_name,
            error: String::new(),
            overwrites: None,
        });
        drop(state);
        self.look_into_folder();
        self.open(Page::Records);
    }

    fn change_browser(&self, change: impl FnOnce(&mut Browser)) {
        if let Some(browser) = &mut self.0.state.borrow_mut().browser {
            change(browser);
        }
        self.refresh_records();
    }

    /// Shows another folder, if it can be read.
    pub fn visit_folder(&self, path: PathBuf) {
        let lang = self.lang();
        match fs::read_dir(&path) {
            Ok(_) => {
                self.change_browser(|browser| browser.folder = path);
                self.look_into_folder();
            }
            Err(error) => self.change_browser(|browser| {
                browser.error = words::cannot_read(lang, &path, &error.to_string());
            }),
        }
    }

    fn folder_above(&self) {
        let above = {
            let state = self.0.state.borrow();
            let browser = state.browser.as_ref();
            browser.and_then(|browser| browser.folder.parent().map(Path::to_path_buf))
        };
        if let Some(above) = above {
            self.visit_folder(above);
        }
    }

    fn visit_place(&self, place: i32) {
        let path = {
            let state = self.0.state.borrow();
            let browser = state.browser.as_ref();
            browser.and_then(|browser| Some(browser.places.get(index(place)?)?.1.clone()))
        };
        if let Some(path) = path {
            self.visit_folder(path);
        }
    }

    /// Reads the folder that is shown: its folders, and the files that some game can read.
    fn look_into_folder(&self) {
        let lang = self.lang();
        let endings = self.readable_endings();
        self.change_browser(|browser| {
            browser.error.clear();
            match entries(&browser.folder, &endings) {
                Ok(entries) => browser.entries = entries,
                Err(error) => {
                    browser.entries = Vec::new();
                    browser.error = words::cannot_read(lang, &browser.folder, &error.to_string());
                }
            }
        });
    }

    /// The file endings that the games read.
    fn readable_endings(&self) -> Vec<String> {
        let state = self.0.state.borrow();
        let formats = state
            .games
            .iter()
            .flat_map(|plugin| &plugin.describe(Lang::En).formats);
        formats
            .filter(|format| format.read)
            .flat_map(|format| format.extensions.iter().map(|e| e.to_lowercase()))
            .collect()
    }

    fn choose_file(&self, row: i32) {
        let chosen = {
            let state = self.0.state.borrow();
            let browser = state.browser.as_ref();
            browser.and_then(|browser| {
                let entry = browser.entries.get(index(row)?)?;
                let name = entry.name.clone();
                Some((entry.path.clone(), entry.is_folder, browser.saving, name))
            })
        };
        match chosen {
            Some((path, true, ..)) => self.visit_folder(path),
            Some((_, false, true, name)) => {
                self.change_browser(|browser| browser.file_name = name);
            }
            Some((path, false, false, _)) => {
                if let Err(why) = self.open_record_file(&path) {
                    self.change_browser(|browser| browser.error = why);
                }
            }
            None => {}
        }
    }

    fn choose_format(&self, format: i32) {
        self.change_browser(|browser| {
            let Some(format) = index(format).filter(|&f| f < browser.formats.len()) else {
                return;
            };
            browser.format = format;
            let ending = browser.formats.get(format).map_or("", |f| f[2].as_str());
            let name = PathBuf::from(&browser.file_name).with_extension(ending);
            browser.file_name = name.display().to_string();
        });
    }

    /// Opens a record: the first game that can read it takes it.
    ///
    /// # Errors
    /// Why it cannot be opened, in one line for the player.
    pub fn open_record_file(&self, path: &Path) -> Result<(), String> {
        let lang = self.lang();
        let cannot = |why: &str| words::cannot_read(lang, path, why);
        let bytes = fs::metadata(path).map_err(|error| cannot(&error.to_string()))?;
        if bytes.len() > MAX_BYTES || !bytes.is_file() {
            return Err(cannot(&words::no_record_file(lang, MAX_BYTES >> 20)));
        }
        let bytes = fs::read(path).map_err(|error| cannot(&error.to_string()))?;
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let games = self.0.state.borrow().games.clone();
        let mut causes = Vec::new();
        for plugin in &games {
            let formats = plugin.describe(lang).formats.iter();
            let reads = formats.filter(|format| {
                let mut endings = format.extensions.iter();
                format.read && endings.any(|e| Some(e.to_lowercase()) == ending)
            });
            for format in reads {
                let (text, remark) = match plugin.read_record(&format.id, &bytes) {
                    Ok(text) => (text, None),
                    Err(error) => match error.partial.clone() {
                        Some(text) => (text, Some(error.message(lang))),
                        None => {
                            causes.push(error.message(lang));
                            continue;
                        }
                    },
                };
                match self.begin_record(plugin, &text) {
                    Ok(()) => {
                        if let Some(remark) = remark {
                            self.notice(words::record_remark(lang, path, &remark));
                        }
                        return Ok(());
                    }
                    Err(error) => causes.push(error),
                }
            }
        }
        if causes.is_empty() {
            causes.push(words::no_game_reads(lang));
        }
        Err(cannot(&causes.join("; ")))
    }

    /// Opens the record that the program was started with, or says why not.
    pub fn open_given(&self, path: &Path) {
        if let Err(why) = self.open_record_file(path) {
            self.notice(why);
        }
    }

    /// Puts a record on the board and saves it as the game that waits.
    fn begin_record(&self, plugin: &Plugin, text: &str) -> Result<(), String> {
        let lang = self.lang();
        let record = Record::read(text).map_err(|error| error.to_string())?;
        let session = Session::replay(plugin, record, lang).map_err(|error| match error {
            SessionError::Game(GameError::Option(why)) => why,
            other => other.to_string(),
        })?;
        self.keep_unusable_save(plugin);
        self.begin(session);
        if self.0.window.global::<crate::Shell>().get_page() == Page::Records {
            self.replace(Page::Play);
        } else {
            self.open(Page::Play);
        }
        self.save_game();
        Ok(())
    }

    /// Saves the record on the board under a name in the folder that is shown; asks before it replaces a
    /// file.
    pub fn save_record(&self, name: &str) {
        let lang = self.lang();
        let path = {
            let mut state = self.0.state.borrow_mut();
            let Some(browser) = &mut state.browser else {
                return;
            };
            name.trim().clone_into(&mut browser.file_name);
            let is_name = !browser.file_name.is_empty()
                && Path::new(&browser.file_name)
                    .file_name()
                    .is_some_and(|n| n == browser.file_name.as_str());
            is_name.then(|| {
                let path = browser.folder.join(&browser.file_name);
                let ending = browser
                    .formats
                    .get(browser.format)
                    .map_or("", |f| f[2].as_str());
                if path.extension().is_none() {
                    path.with_extension(ending)
                } else {
                    path
                }
            })
        };
        match path {
            None => self.change_browser(|browser| browser.error = words::no_file_name(lang)),
            Some(path) if path.exists() => {
                self.change_browser(|browser| browser.overwrites = Some(path));
            }
            Some(path) => self.write_record_file(&path),
        }
    }

    fn overwrite_record(&self, yes: bool) {
        let path = {
            let mut state = self.0.state.borrow_mut();
            state
                .browser
                .as_mut()
                .and_then(|browser| browser.overwrites.take())
        };
        match path.filter(|_| yes) {
            Some(path) => self.write_record_file(&path),
            None => self.refresh_records(),
        }
    }

    fn write_record_file(&self, path: &Path) {
        let lang = self.lang();
        let bytes = {
            let state = self.0.state.borrow();
            let (Some(browser), Some(play)) = (&state.browser, &state.play) else {
                return;
            };
            let format = browser
                .formats
                .get(browser.format)
                .map_or("", |f| f[0].as_str());
            let record = play
                .session
                .record()
                .write()
                .map_err(|error| error.to_string());
            record.and_then(|record| {
                let plugin = play.session.plugin();
                plugin
                    .write_record(format, &record)
                    .map_err(|error| error.message(lang))
            })
        };
        let written =
            bytes.and_then(|bytes| write_whole(path, &bytes).map_err(|error| error.to_string()));
        match written {
            Ok(()) => {
                self.back();
                let toast = words::record_saved(lang, path);
                self.0
                    .window
                    .global::<crate::Shell>()
                    .set_toast(toast.into());
            }
            Err(why) => self.change_browser(|browser| {
                browser.error = words::cannot_write(lang, path, &why);
            }),
        }
    }

    pub(super) fn refresh_records(&self) {
        let state = self.0.state.borrow();
        let Some(browser) = &state.browser else {
            return;
        };
        let lang = state.lang;
        let rows: Vec<FileRow> = browser
            .entries
            .iter()
            .map(|entry| FileRow {
                name: (&entry.name).into(),
                folder: entry.is_folder,
                detail: if entry.is_folder {
                    String::new()
                } else {
                    words::kilobytes(lang, entry.bytes)
                }
                .into(),
            })
            .collect();
        let places: Vec<&str> = browser
            .places
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let formats: Vec<&str> = browser.formats.iter().map(|f| f[1].as_str()).collect();
        let screen = self.0.window.global::<Records>();
        screen.set_saving(browser.saving);
        screen.set_folder(browser.folder.display().to_string().into());
        screen.set_places(strings(&places));
        screen.set_formats(strings(&formats));
        screen.set_format(number(browser.format));
        screen.set_file_name((&browser.file_name).into());
        screen.set_error((&browser.error).into());
        screen.set_overwrites(browser.overwrites.is_some());
        screen.set_files(model(rows));
    }
}

/// The formats that a game can write: id, name, file ending.
fn writable(plugin: &Plugin, lang: Lang) -> Vec<[String; 3]> {
    let formats = plugin.describe(lang).formats.iter();
    formats
        .filter(|format| format.write)
        .filter_map(|format| {
            let ending = format.extensions.first()?;
            Some([format.id.clone(), format.name.clone(), ending.clone()])
        })
        .collect()
}

/// Folders that people keep records in, by name; those that exist.
fn places(lang: Lang, data_dir: &Path) -> Vec<(String, PathBuf)> {
    let mut places = Vec::new();
    if let Some(user) = directories::UserDirs::new() {
        let folders = [
            (words::documents(lang), user.document_dir()),
            (words::downloads(lang), user.download_dir()),
            (words::home_folder(lang), Some(user.home_dir())),
        ];
        for (name, path) in folders {
            if let Some(path) = path.filter(|path| path.is_dir()) {
                places.push((name, path.to_path_buf()));
            }
        }
    }
    places.push((words::data_folder(lang), data_dir.to_path_buf()));
    places
}

/// What is in a folder: folders first, then files with one of the endings; hidden ones are left out.
fn entries(folder: &Path, endings: &[String]) -> std::io::Result<Vec<Entry>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        // An entry that vanishes or cannot be looked at is not shown.
        let Ok(entry) = entry else { continue };
        let Ok(about) = fs::metadata(entry.path()) else {
            continue;
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let is_record = about.is_file() && ending.is_some_and(|e| endings.contains(&e));
        if !name.starts_with('.') && (about.is_dir() || is_record) {
            found.push(Entry {
                path,
                name,
                is_folder: about.is_dir(),
                bytes: about.len(),
            });
        }
    }
    found.sort_by_cached_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
    found.truncate(MAX_ROWS);
    Ok(found)
}

/// Writes a file whole or not at all: under another name beside it, then renamed.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    // The temporary file is readable by its owner alone; a record is an ordinary file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
