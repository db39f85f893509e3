//! What can fail in a game that runs. What can be wrong with a file is in `load_error`.

use super::Lang;

/// Why a call into a game failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The move is not legal here; the state is as it was. `Game::explain` says why.
    #[error("the move is not legal here")]
    Illegal,
    /// The game failed inside, now or in an earlier call; its state is of no use any more.
    #[error("the game has failed inside and cannot continue")]
    Panicked,
    /// An option has a value that it cannot take; the text names the key.
    #[error("{0}")]
    Option(String),
    /// A text could not be read; the message says where and why.
    #[error("{0}")]
    Parse(String),
    /// The game does not offer this.
    #[error("the game does not offer this")]
    Unsupported,
    /// The game refused an argument; the text says which call and, if the game told, why.
    #[error("the game refused the call: {0}")]
    Argument(String),
    /// The game ran out of memory or of another resource.
    #[error("the game ran out of memory or of another resource")]
    Resource,
    /// The game answered with something that the ABI does not allow; the text says what.
    #[error("the game gave an answer that makes no sense: {0}")]
    BadOutput(String),
}

impl GameError {
    /// One line for the player.
    pub fn message(&self, lang: Lang) -> String {
        match (lang, self) {
            (Lang::En, _) | (Lang::Zh, Self::Option(_) | Self::Parse(_)) => self.to_string(),
            (Lang::Zh, Self::Illegal) => "这步棋在此不合规则".to_owned(),
            (Lang::Zh, Self::Panicked) => "游戏内部出错，无法继续".to_owned(),
            (Lang::Zh, Self::Unsupported) => "游戏不提供此功能".to_owned(),
            (Lang::Zh, Self::Argument(why)) => format!("游戏拒绝了调用：{why}"),
            (Lang::Zh, Self::Resource) => "游戏的内存或其他资源不足".to_owned(),
            (Lang::Zh, Self::BadOutput(what)) => format!("游戏给出了无意义的结果：{what}"),
        }
    }
}

/// A file of records that could not be read, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct ReadRecordError {
    /// What is wrong, with line and column where the game named them.
    pub error: GameError,
    /// The neutral record of as much as could be read, if the game gave any.
    pub partial: Option<String>,
}

impl ReadRecordError {
    /// One line for the player.
    pub fn message(&self, lang: Lang) -> String {
        self.error.message(lang)
    }
}

impl From<GameError> for ReadRecordError {
    fn from(error: GameError) -> Self {
        Self {
            error,
            partial: None,
        }
    }
}
