//! The two languages that every text of a game exists in.

/// A language of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// Chinese, simplified.
    Zh,
    /// English.
    En,
}

impl Lang {
    /// From a language tag such as "zh", "zh-CN" or "en"; English for one that is unknown.
    pub fn from_tag(tag: &str) -> Self {
        if tag == "zh" || tag.starts_with("zh-") || tag.starts_with("zh_") {
            Self::Zh
        } else {
            Self::En
        }
    }

    /// The one of two texts that is in this language.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}
