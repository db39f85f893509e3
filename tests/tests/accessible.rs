//! Everything that can be pressed has a name for a screen reader, and a place and a size for a finger.

use std::collections::{HashMap, HashSet};

use i_slint_backend_testing::{AccessibleRole, ElementHandle, ElementQuery};
use qiju::Page;
use qiju::store::Language;
use qiju_tests::{DESKTOP, Driver, PHONE, built, init_drawing_backend};
use slint::{ComponentHandle as _, Model as _};

/// Smallest side of what a finger must meet, in logical pixels.
const TOUCH: f32 = 40.0;
/// What rounding to whole pixels may take away.
const ROUNDING: f32 = 0.5;

const LANGUAGES: [Language; 2] = [Language::Zh, Language::En];
const GAMES: [&str; 2] = ["go", "noughts"];

fn pressable(role: Option<AccessibleRole>) -> bool {
    use AccessibleRole::{Button, Checkbox, Combobox, RadioButton, Spinbox, Switch, Tab};
    matches!(
        role,
        Some(Button | Checkbox | Combobox | RadioButton | Spinbox | Switch | Tab)
    )
}

/// Everything on screen that can be pressed.
fn controls(driver: &Driver) -> Vec<ElementHandle> {
    let found = ElementQuery::from_root(driver.app.window())
        .match_descendants()
        .match_predicate(|element| {
            pressable(element.accessible_role()) && element.size().width > 0.0
        })
        .find_all();
    // One element is found once for each component that it inherits from.
    let mut seen = HashSet::new();
    found
        .into_iter()
        .filter(|control| {
            let at = control.absolute_position();
            seen.insert((label(control), at.x.to_bits(), at.y.to_bits()))
        })
        .collect()
}

fn label(element: &ElementHandle) -> String {
    element.accessible_label().unwrap_or_default().to_string()
}

/// What a screen reader says of the cells of all areas, voids aside.
fn cells(driver: &Driver) -> Vec<String> {
    let screen = driver.app.window().global::<qiju::Play>();
    let areas: Vec<qiju::AreaView> = screen.get_areas().iter().collect();
    let cells = areas
        .iter()
        .flat_map(|area| area.cells.iter().collect::<Vec<_>>());
    cells
        .filter(|cell| !cell.void)
        .map(|cell| cell.label.to_string())
        .collect()
}

fn start(data: &tempfile::TempDir, size: (f32, f32)) -> Driver {
    // Texts have their true widths only where they are drawn.
    init_drawing_backend();
    let driver = Driver::start(data.path(), &[&built().bundled, &built().examples]);
    driver.resize(size);
    driver
}

/// Opens every screen and everything that can be open on it, in turn.
fn each_screen(driver: &Driver, mut look: impl FnMut(&str)) {
    for page in [Page::Home, Page::Settings, Page::Plugins, Page::About] {
        driver.app.open(page);
        driver.tick(500);
        look(&format!("{page:?}"));
    }
    let english = driver.app.lang() == qiju::plugins::Lang::En;
    for id in GAMES {
        driver.app.open(Page::Home);
        driver.app.open_new_game(id);
        driver.tick(500);
        look(&format!("new game of {id}"));
        driver.seat_people();
        look(&format!("new game of {id} for people"));
        driver.app.start_draft();
        driver.tick(500);
        look(id);
        driver.click(if english { "More" } else { "更多" });
        driver.tick(500);
        look(&format!("the menu of {id}"));
        driver.click(if english { "Rules" } else { "规则" });
        driver.tick(500);
        look(&format!("the rules of {id}"));
        driver.app.back();
        driver.tap_free();
        if driver.shows(if english { "Play here" } else { "下在这里" }) {
            look(&format!("a move to confirm in {id}"));
            driver.click(if english { "Play here" } else { "下在这里" });
        }
        driver.settle();
        driver.click(if english { "More" } else { "更多" });
        driver.click_last(if english { "Resign" } else { "认输" });
        driver.tick(500);
        look(&format!("the question before resigning {id}"));
        driver.click_last(if english { "Resign" } else { "认输" });
        driver.settle();
        look(&format!("the end of {id}"));
    }
}

#[test]
fn everything_that_can_be_pressed_has_a_name() {
    for size in [PHONE, DESKTOP] {
        for language in LANGUAGES {
            let data = tempfile::tempdir().expect("a temporary folder");
            let driver = start(&data, size);
            driver.app.set_language(language);
            let mut seen = 0;
            each_screen(&driver, |screen| {
                for control in controls(&driver) {
                    seen += 1;
                    assert!(
                        !label(&control).trim().is_empty(),
                        "{screen} at {size:?} ({language:?}): {:?} of type {:?} at {:?} has no name",
                        control.id(),
                        control.type_name(),
                        control.absolute_position()
                    );
                }
            });
            assert!(seen > 500, "only {seen} controls were seen");
        }
    }
}

#[test]
fn every_cell_is_a_button_with_a_spoken_name_of_its_own() {
    for language in LANGUAGES {
        let data = tempfile::tempdir().expect("a temporary folder");
        let driver = start(&data, DESKTOP);
        driver.app.set_language(language);
        for id in GAMES {
            driver.app.open(Page::Home);
            driver.app.open_new_game(id);
            driver.seat_people();
            driver.app.start_draft();
            driver.tick(500);
            driver.tap_free();
            driver.settle();
            let mut said: HashMap<String, usize> = HashMap::new();
            for control in controls(&driver) {
                if control.accessible_role() == Some(AccessibleRole::Button) {
                    *said.entry(label(&control)).or_default() += 1;
                }
            }
            let cells = cells(&driver);
            assert!(cells.len() >= 9, "{id} has {} cells", cells.len());
            for cell in &cells {
                assert_eq!(
                    said.get(cell),
                    Some(&1),
                    "{id} ({language:?}): buttons called {cell:?}"
                );
                let chinese = cell.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                assert_eq!(
                    chinese,
                    language == Language::Zh,
                    "{id}: {cell:?} is in the wrong language"
                );
            }
            let empty = if language == Language::Zh {
                "空"
            } else {
                "empty"
            };
            let taken = cells.iter().filter(|cell| !cell.contains(empty)).count();
            assert_eq!(taken, 1, "{id}: the piece is spoken of: {cells:#?}");
        }
    }
}

#[test]
fn on_a_phone_every_control_is_within_reach_and_large_enough_for_a_finger() {
    let mut offenders = Vec::new();
    for language in LANGUAGES {
        let data = tempfile::tempdir().expect("a temporary folder");
        let driver = start(&data, PHONE);
        driver.app.set_language(language);
        each_screen(&driver, |screen| {
            let cells = cells(&driver);
            // A page of text and settings scrolls; a board does not.
            let scrolls = driver.app.window().global::<qiju::Shell>().get_page() != Page::Play;
            for control in controls(&driver) {
                let (name, size, at) =
                    (label(&control), control.size(), control.absolute_position());
                let mut wrong = Vec::new();
                let cell = cells.contains(&name);
                if !cell && (size.width < TOUCH - ROUNDING || size.height < TOUCH - ROUNDING) {
                    wrong.push("too small");
                }
                if at.x < -ROUNDING || at.x + size.width > PHONE.0 + ROUNDING {
                    wrong.push("beside the window");
                }
                if !scrolls && (at.y < -ROUNDING || at.y + size.height > PHONE.1 + ROUNDING) {
                    wrong.push("above or below the window");
                }
                if !wrong.is_empty() {
                    offenders.push(format!(
                        "{screen} ({language:?}): {name:?} is {}: {}×{} at ({}, {})",
                        wrong.join(" and "),
                        size.width,
                        size.height,
                        at.x,
                        at.y
                    ));
                }
            }
        });
    }
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}
