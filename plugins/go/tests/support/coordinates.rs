//! Reads the names of points.

use crate::drawing::COLUMNS;

/// The cell of a coordinate such as `D4` on a board of `size`; `None` if there is no such point.
pub fn parse_point(text: &str, size: u8) -> Option<u16> {
    let mut chars = text.chars();
    let column = COLUMNS.find(chars.next()?)?;
    let row: usize = chars.as_str().parse().ok()?;
    let side = usize::from(size);
    if column >= side || row == 0 || row > side {
        return None;
    }
    u16::try_from((side - row) * side + column).ok()
}
