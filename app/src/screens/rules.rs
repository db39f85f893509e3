//! A game's rules in its own words.

use slint::ComponentHandle;

use super::{App, strings};
use crate::{Page, Rules};

impl App {
    /// Opens the rules of a game.
    pub fn open_rules(&self, id: &str) {
        self.0.state.borrow_mut().rules_of = Some(id.to_owned());
        self.open(Page::Rules);
    }

    pub(super) fn refresh_rules(&self) {
        let state = self.0.state.borrow();
        let Some(plugin) = state
            .games
            .iter()
            .find(|plugin| Some(plugin.id()) == state.rules_of.as_deref())
        else {
            return;
        };
        let describe = plugin.describe(state.lang);
        let name = describe.name.clone();
        let paragraphs: Vec<String> = describe
            .help
            .split("\n\n")
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect();
        drop(state);
        let rules = self.0.window.global::<Rules>();
        rules.set_name(name.into());
        rules.set_paragraphs(strings(&paragraphs));
    }
}
