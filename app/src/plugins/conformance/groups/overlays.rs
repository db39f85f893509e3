//! Teaching overlays.

use qiju_abi::GP_OVERLAY_NONE;

use super::Check;
use crate::plugins::conformance::subject::{Checked, Fault, Subject, ensure, passed, skipped};
use crate::plugins::{GameError, OverlayKind};

pub const CHECKS: &[Check] = &[("overlays/values", values), ("overlays/beyond", beyond)];

/// Each overlay has a value for every cell, in the range of its kind.
fn values(subject: &Subject<'_>) -> Checked {
    let overlays = &subject.describe().overlays;
    if overlays.is_empty() {
        return skipped("there are no overlays");
    }
    let count = subject.walk("overlays/values", |position| {
        for (index, overlay) in (0..).zip(overlays) {
            for viewer in subject.viewers() {
                let values = position
                    .game
                    .overlay(index, viewer)
                    .map_err(|error| Fault(format!("overlay {}: {error}", overlay.id)))?;
                let range = match overlay.kind {
                    OverlayKind::Heat => 0..=1000,
                    OverlayKind::Owner => -1000..=1000,
                    OverlayKind::Number | OverlayKind::Group | OverlayKind::Mark => {
                        i32::MIN..=i32::MAX
                    }
                };
                let bad = values
                    .iter()
                    .find(|value| **value != GP_OVERLAY_NONE && !range.contains(value));
                ensure!(
                    bad.is_none(),
                    "overlay {} has a value out of its range {range:?}: {bad:?}",
                    overlay.id
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// There is no overlay past the last.
fn beyond(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(0)?;
    let count = subject.describe().overlays.len() as u32;
    for index in [count, u32::MAX] {
        match game.overlay(index, 0) {
            Err(GameError::Unsupported | GameError::Argument(_)) => {}
            Err(error) => return Err(Fault(format!("overlay {index}: {error}"))),
            Ok(_) => {
                return Err(Fault(format!(
                    "overlay {index} exists, but the description has {count}"
                )));
            }
        }
    }
    passed("refused")
}
