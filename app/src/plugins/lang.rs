//! The two languages of the app, which are the two that every text of a game exists in.

/// A language of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lang {
    /// Chinese, simplified.
    Zh,
    /// English.
    En,
}

impl Lang {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Zh, Self::En];

    /// The language tag that a plugin is given: "zh" or "en".
    pub fn tag(self) -> &'static str {
        self.pick("zh", "en")
    }

    /// The one of two things that is in this language.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}
