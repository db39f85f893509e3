//! Text to trees of nodes. Whatever is wrong is noted with its place, and as much as can be is read.

use crate::sgf::{Collection, GameTree, MAX_PROBLEMS, Node, Place, Problem, Property};

/// A text with a place in it.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// The next character. A line ends with LF, CR, CR LF or LF CR.
    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        let before = self.text.get(..self.at).and_then(|t| t.chars().next_back());
        self.at += c.len_utf8();
        let is_second_half = matches!((before, c), (Some('\r'), '\n') | (Some('\n'), '\r'));
        match c {
            '\n' | '\r' if is_second_half => {}
            '\n' | '\r' => {
                self.place = Place {
                    line: self.place.line.saturating_add(1),
                    column: 1,
                }
            }
            _ => self.place.column = self.place.column.saturating_add(1),
        }
        Some(c)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|c| c.is_whitespace() || c == '\0') {
            self.next();
        }
    }

    /// Whether a game begins here: `(`, then `;`.
    fn is_at_game(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        rest.strip_prefix('(')
            .is_some_and(|rest| rest.trim_start().starts_with(';'))
    }
}

/// Reads the games of a decoded file.
pub fn parse(text: &str) -> Collection {
    let mut parser = Parser {
        cursor: Cursor {
            text,
            at: 0,
            place: Place { line: 1, column: 1 },
        },
        collection: Collection::default(),
    };
    parser.run();
    parser.collection
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    collection: Collection,
}

impl Parser<'_> {
    fn note(&mut self, place: Place, what: impl Into<String>) {
        let problems = &mut self.collection.problems;
        if problems.len() < MAX_PROBLEMS {
            problems.push(Problem {
                place,
                what: what.into(),
            });
        }
    }

    fn run(&mut self) {
        loop {
            // What stands before and between the games (mail headers, say) is nothing to us.
            while self.cursor.peek().is_some() && !self.cursor.is_at_game() {
                self.cursor.next();
            }
            if self.cursor.peek().is_none() {
                break;
            }
            let game = self.game();
            self.collection.games.push(game);
        }
        if self.collection.games.is_empty() {
            self.note(
                Place { line: 1, column: 1 },
                "no game begins with \"(;\" in this file",
            );
        }
    }

    /// Reads a game, from its opening parenthesis to its closing one.
    fn game(&mut self) -> GameTree {
        let start = self.cursor.at;
        let mut game = GameTree::default();
        // The nodes to go back to at a closing parenthesis.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut current: Option<usize> = None;
        loop {
            self.cursor.skip_space();
            let place = self.cursor.place;
            let Some(c) = self.cursor.peek() else {
                let missing = open.len();
                self.note(
                    place,
                    format!("the file ends with {missing} open parentheses"),
                );
                break;
            };
            match c {
                '(' => {
                    self.cursor.next();
                    open.push(current);
                }
                ')' => {
                    self.cursor.next();
                    current = open.pop().flatten();
                    if open.is_empty() {
                        break;
                    }
                }
                ';' => {
                    self.cursor.next();
                    current = Some(add(&mut game, current, place));
                }
                '[' => {
                    self.note(place, "a value without a property");
                    self.cursor.next();
                    self.value(place);
                }
                _ if c.is_ascii_alphabetic() => {
                    let node = match current {
                        // A variation that begins without a semicolon.
                        None => add(&mut game, None, place),
                        Some(node) if open.last() == Some(&Some(node)) => {
                            self.note(place, "a property outside a node");
                            add(&mut game, Some(node), place)
                        }
                        Some(node) => node,
                    };
                    current = Some(node);
                    if let Some(property) = self.property(place)
                        && let Some(node) = game.nodes.get_mut(node)
                    {
                        node.properties.push(property);
                    }
                }
                _ => {
                    self.note(place, format!("{c:?} belongs to nothing here"));
                    while self.cursor.peek().is_some_and(|c| !is_structure(c)) {
                        self.cursor.next();
                    }
                    // A closing bracket is structure only after an opening one.
                    if self.cursor.peek() == Some(']') {
                        self.cursor.next();
                    }
                }
            }
        }
        game.range = start..self.cursor.at;
        game
    }

    /// Reads a name and its values; `None` if no value follows.
    fn property(&mut self, place: Place) -> Option<Property> {
        let mut written = String::new();
        while let Some(c) = self.cursor.peek().filter(char::is_ascii_alphanumeric) {
            written.push(c);
            self.cursor.next();
        }
        // FF[1] to FF[3] wrote "AddBlack" for AB: lower-case letters do not count.
        let mut name: String = written
            .chars()
            .filter(|c| !c.is_ascii_lowercase())
            // A name begins with a letter: what is written must read as a name again.
            .skip_while(char::is_ascii_digit)
            .collect();
        if name.is_empty() {
            name = written.to_ascii_uppercase();
        }
        let mut values = Vec::new();
        loop {
            self.cursor.skip_space();
            if self.cursor.peek() != Some('[') {
                break;
            }
            let place = self.cursor.place;
            self.cursor.next();
            values.push(self.value(place));
        }
        if values.is_empty() {
            let name: String = written.chars().take(20).collect();
            self.note(place, format!("{name:?} has no value"));
            return None;
        }
        Some(Property { name, values })
    }

    /// Reads a value to its closing bracket; the opening one, at `place`, has been read.
    fn value(&mut self, place: Place) -> String {
        let start = self.cursor.at;
        loop {
            let end = self.cursor.at;
            match self.cursor.next() {
                Some(']') => {
                    return self
                        .cursor
                        .text
                        .get(start..end)
                        .unwrap_or_default()
                        .to_owned();
                }
                Some('\\') => {
                    self.cursor.next();
                }
                Some(_) => {}
                None => {
                    self.note(place, "a value that begins here has no end");
                    return self.cursor.text.get(start..).unwrap_or_default().to_owned();
                }
            }
        }
    }
}

fn add(game: &mut GameTree, parent: Option<usize>, place: Place) -> usize {
    // A second root can only come from a broken file: it goes on from the first.
    let parent = parent.or(if game.nodes.is_empty() { None } else { Some(0) });
    game.nodes.push(Node {
        parent,
        properties: Vec::new(),
        place,
    });
    game.nodes.len() - 1
}

fn is_structure(c: char) -> bool {
    matches!(c, '(' | ')' | ';' | '[' | ']') || c.is_ascii_alphabetic()
}
