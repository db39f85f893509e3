//! Why a file is no plugin that can be used: one clear line for each cause, in both languages.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Lang;

/// A plugin file that cannot be used. It is passed from the probing child to
/// its parent, hence plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", self.message(Lang::En))]
pub struct LoadError {
    /// The file's name, without its folder.
    pub file: String,
    /// What is wrong with it.
    pub cause: LoadCause,
}

/// What is wrong with a plugin file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadCause {
    /// It cannot be read; the system's reason.
    Unreadable(String),
    /// It has no content.
    Empty,
    /// It is larger than any plugin is allowed to be.
    TooLarge {
        /// Bytes allowed.
        limit: u64,
    },
    /// It is not a native library at all.
    NotALibrary,
    /// It is a native program or object, but no shared library.
    NotShared,
    /// It is a library of another system.
    WrongPlatform {
        /// File format found.
        found: String,
        /// File format of this system.
        wanted: String,
    },
    /// It is a library for another processor.
    WrongArchitecture {
        /// Processor it was built for.
        found: String,
        /// This processor.
        wanted: String,
    },
    /// It ends before the end that its own tables name.
    Truncated {
        /// Bytes that its tables ask for.
        needs: u64,
        /// Bytes that there are.
        has: u64,
    },
    /// The system cannot open it; the system's reason.
    Open(String),
    /// It lacks the entry symbol.
    MissingSymbol,
    /// Its entry function gave null.
    NullEntry,
    /// Its entry does not begin as a plugin's.
    BadMagic {
        /// The number found.
        found: u32,
    },
    /// It speaks another major version of the ABI.
    WrongMajor {
        /// The library's.
        theirs: u32,
        /// The app's.
        ours: u32,
    },
    /// It holds no game.
    NoGames,
    /// It claims more games than allowed.
    TooManyGames {
        /// Games claimed.
        count: u32,
        /// Games allowed.
        limit: u32,
    },
    /// The vtable of a game is null.
    NullGame {
        /// Index of the game.
        game: u32,
    },
    /// A function that every game must have is null, or one of a group is.
    MissingFunction {
        /// Index of the game.
        game: u32,
        /// Name of the function.
        function: String,
    },
    /// `describe` panicked.
    DescribePanicked {
        /// Index of the game.
        game: u32,
    },
    /// `describe` failed in another way.
    DescribeFailed {
        /// Index of the game.
        game: u32,
        /// How.
        why: String,
    },
    /// What `describe` says cannot be used.
    BadDescribe {
        /// Index of the game.
        game: u32,
        /// Tag of the language in which it said so.
        lang: String,
        /// Where and what.
        why: String,
    },
    /// Two games of the library have one id.
    DuplicateId {
        /// The id.
        id: String,
    },
    /// It crashed while it was tried in a process of its own.
    Crashed {
        /// The signal or exit code.
        how: String,
    },
    /// It did not answer while it was tried in a process of its own.
    Hung {
        /// Milliseconds waited.
        limit_ms: u64,
    },
    /// The process to try it in could not be run; the reason.
    Probe(String),
    /// The file was replaced while it was being tried.
    ChangedMeanwhile,
}

impl LoadError {
    /// An error of the file at `path`.
    pub fn new(path: &Path, cause: LoadCause) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str());
        Self {
            file: name.to_string_lossy().into_owned(),
            cause,
        }
    }

    /// One line for the player: the file, then the cause.
    pub fn message(&self, lang: Lang) -> String {
        let cause = self.cause.message(lang);
        // Texts from outside must not break the one line.
        let line = format!("{}{}{cause}", self.file, lang.pick("：", ": "));
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl LoadCause {
    /// The cause without the file's name, for where that is told already.
    pub fn message(&self, lang: Lang) -> String {
        match lang {
            Lang::Zh => self.zh(),
            Lang::En => self.en(),
        }
    }

    fn zh(&self) -> String {
        match self {
            Self::Unreadable(why) => format!("无法读取（{why}）"),
            Self::Empty => "文件是空的".to_owned(),
            Self::TooLarge { limit } => format!("文件太大（上限 {limit} 字节）"),
            Self::NotALibrary => "不是动态库".to_owned(),
            Self::NotShared => "是程序或目标文件，不是动态库".to_owned(),
            Self::WrongPlatform { found, wanted } => {
                format!("是其他系统的动态库（{found}，本机需要 {wanted}）")
            }
            Self::WrongArchitecture { found, wanted } => {
                format!("是为其他处理器编译的（{found}，本机是 {wanted}）")
            }
            Self::Truncated { needs, has } => {
                format!("文件不完整（应有 {needs} 字节，只有 {has} 字节）")
            }
            Self::Open(why) => format!("系统无法打开（{why}）"),
            Self::MissingSymbol => {
                format!("不是棋局插件（缺少符号 {}）", qiju_abi::GP_ENTRY_SYMBOL)
            }
            Self::NullEntry => "入口函数没有返回内容".to_owned(),
            Self::BadMagic { found } => format!("不是棋局插件（标识为 {found:#010x}）"),
            Self::WrongMajor { theirs, ours } => {
                format!("接口主版本是 {theirs}，本程序需要 {ours}")
            }
            Self::NoGames => "库里没有游戏".to_owned(),
            Self::TooManyGames { count, limit } => {
                format!("声称有 {count} 个游戏（上限 {limit}）")
            }
            Self::NullGame { game } => format!("第 {game} 个游戏的函数表为空"),
            Self::MissingFunction { game, function } => {
                format!("第 {game} 个游戏缺少必需的函数 {function}")
            }
            Self::DescribePanicked { game } => format!("第 {game} 个游戏的 describe 内部出错"),
            Self::DescribeFailed { game, why } => {
                format!("第 {game} 个游戏的 describe 失败（{why}）")
            }
            Self::BadDescribe { game, lang, why } => {
                format!("第 {game} 个游戏的说明（{lang}）有误：{why}")
            }
            Self::DuplicateId { id } => format!("库里有两个游戏都叫 {id}"),
            Self::Crashed { how } => format!("试运行时崩溃（{how}）"),
            Self::Hung { limit_ms } => format!("试运行时 {limit_ms} 毫秒内没有回应"),
            Self::Probe(why) => format!("无法试运行（{why}）"),
            Self::ChangedMeanwhile => "文件在试运行期间被替换".to_owned(),
        }
    }

    fn en(&self) -> String {
        match self {
            Self::Unreadable(why) => format!("cannot be read ({why})"),
            Self::Empty => "the file is empty".to_owned(),
            Self::TooLarge { limit } => format!("the file is too large (limit {limit} bytes)"),
            Self::NotALibrary => "is not a shared library".to_owned(),
            Self::NotShared => "is a program or an object file, not a shared library".to_owned(),
            Self::WrongPlatform { found, wanted } => {
                format!("is a library for another system ({found}; this one needs {wanted})")
            }
            Self::WrongArchitecture { found, wanted } => {
                format!("was built for another processor ({found}; this one is {wanted})")
            }
            Self::Truncated { needs, has } => {
                format!("the file is not whole (needs {needs} bytes, has {has})")
            }
            Self::Open(why) => format!("the system cannot open it ({why})"),
            Self::MissingSymbol => format!(
                "is not a Qiju plugin (it lacks the symbol {})",
                qiju_abi::GP_ENTRY_SYMBOL
            ),
            Self::NullEntry => "its entry function gives nothing".to_owned(),
            Self::BadMagic { found } => {
                format!("is not a Qiju plugin (its magic number is {found:#010x})")
            }
            Self::WrongMajor { theirs, ours } => {
                format!("speaks version {theirs} of the plugin interface, this app {ours}")
            }
            Self::NoGames => "holds no game".to_owned(),
            Self::TooManyGames { count, limit } => {
                format!("claims to hold {count} games (limit {limit})")
            }
            Self::NullGame { game } => format!("the function table of game {game} is null"),
            Self::MissingFunction { game, function } => {
                format!("game {game} lacks the required function {function}")
            }
            Self::DescribePanicked { game } => format!("describe of game {game} panicked"),
            Self::DescribeFailed { game, why } => format!("describe of game {game} failed ({why})"),
            Self::BadDescribe { game, lang, why } => {
                format!("the description of game {game} ({lang}) is wrong: {why}")
            }
            Self::DuplicateId { id } => format!("two of its games have the id {id}"),
            Self::Crashed { how } => format!("crashed when it was tried ({how})"),
            Self::Hung { limit_ms } => {
                format!("gave no answer within {limit_ms} ms when it was tried")
            }
            Self::Probe(why) => format!("could not be tried in a process of its own ({why})"),
            Self::ChangedMeanwhile => "was replaced while it was being tried".to_owned(),
        }
    }
}
