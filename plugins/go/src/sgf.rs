//! SGF, the Smart Game Format: game records of the field, FF\[4\] with all that real files have left of
//! FF\[1\] to FF\[3\].
//!
//! The source is Arno Hollosi's "SGF File Format FF\[4\]" with its pages on Go and on the user guide.
//!
//! * [`charset`]: bytes to text and back, before anything else: in Shift-JIS, Big5 and GBK the second
//!   byte of a character may look like `]` or `\`.
//! * [`parse`]: text to trees of nodes with their properties, nothing understood yet; [`Collection`].
//!   Nothing recurses: files nest as deep as they like.
//! * [`values`]: what values mean: points, numbers, texts.
//! * [`record`]: to and from the neutral record of the app.

pub mod charset;
mod parse;
mod reader;
pub mod record;
pub mod values;
mod writer;

pub use parse::parse;

use std::fmt;

/// A property of a node: a name and its values, as they stand in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Upper-case letters: "AB".
    pub name: String,
    /// The values without their brackets, escapes and all.
    pub values: Vec<String>,
}

/// A node of a game tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node before it; `None` for the root. A parent stands before its children.
    pub parent: Option<usize>,
    /// Its properties in their order.
    pub properties: Vec<Property>,
    /// Where it begins.
    pub place: Place,
}

impl Node {
    /// The values of a property; those of all properties of that name, should there be several.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        let named = self.properties.iter().filter(move |p| p.name == name);
        named.flat_map(|p| p.values.iter().map(String::as_str))
    }

    /// The first value of a property.
    pub fn value<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.values(name).next()
    }

    /// Whether the node has a property.
    pub fn has(&self, name: &str) -> bool {
        self.properties.iter().any(|p| p.name == name)
    }
}

/// One game with its variations. It has at least a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameTree {
    /// The nodes, the root first, every parent before its children.
    pub nodes: Vec<Node>,
    /// Where its text lies in the decoded file, in bytes.
    pub range: std::ops::Range<usize>,
}

/// A place in a file: line and column in characters, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Something in a file that is wrong or could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The games of a file, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The games in their order.
    pub games: Vec<GameTree>,
    /// What is wrong, in the order of the file; the first few only.
    pub problems: Vec<Problem>,
}

/// Problems that are noted; a file of another kind has one in every line.
pub(crate) const MAX_PROBLEMS: usize = 20;

#[cfg(test)]
mod tests;
