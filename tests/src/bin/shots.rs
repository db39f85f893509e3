//! `cargo xtask shots DIR`: every screen as a picture, with the real UI and plugins and Slint's
//! software renderer. No display is needed. A second argument of the program itself, such as "phone-light-en", makes only those.
//!
//! The pictures are for looking at: phone and desktop size, light and dark, Chinese and English.

use std::path::Path;
use std::process::ExitCode;

use qiju::store::{Appearance, Language};
use qiju::{Page, Shell};
use qiju_tests::{DESKTOP, Driver, PHONE, built};
use slint::ComponentHandle;

/// Size of a tablet in portrait, in logical pixels.
const TABLET: (f32, f32) = (820.0, 1180.0);

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: shots DIR [ONLY]");
        return ExitCode::from(2);
    };
    let folder = Path::new(&folder);
    let only = std::env::args().nth(2).unwrap_or_default();
    match all(folder, &only) {
        Ok(0) => {
            eprintln!("shots: no pictures are called {only:?}");
            ExitCode::from(2)
        }
        Ok(count) => {
            println!("{count} pictures in {}", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("shots: {error}");
            ExitCode::FAILURE
        }
    }
}

fn all(folder: &Path, only: &str) -> Result<usize, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    qiju_tests::init_drawing_backend();
    let mut count = 0;
    for (lang, language) in [("en", Language::En), ("zh", Language::Zh)] {
        for (light, appearance) in [("light", Appearance::Light), ("dark", Appearance::Dark)] {
            for (name, size) in [("phone", PHONE), ("tablet", TABLET), ("desktop", DESKTOP)] {
                let variant = format!("{name}-{light}-{lang}");
                if !variant.contains(only) {
                    continue;
                }
                let data = tempfile::tempdir()?;
                let driver = Driver::start(data.path(), &[&built().bundled, &built().examples]);
                driver.app.set_language(language);
                driver.app.set_appearance(appearance);
                driver.resize(size);
                let mut shot = |screen: &str| -> Result<(), Box<dyn std::error::Error>> {
                    driver.tick(400);
                    let path = folder.join(format!("{screen}-{variant}.png"));
                    save(&driver, &path)?;
                    count += 1;
                    Ok(())
                };
                shot("home")?;
                for id in driver.app.game_ids() {
                    driver.app.open_new_game(&id);
                    shot(&format!("{id}-1-new"))?;
                    driver.app.start_draft();
                    driver.settle();
                    shot(&format!("{id}-2-start"))?;
                    for _ in 0..if id == "go" { 12 } else { 2 } {
                        if !driver.try_tap_free() {
                            break;
                        }
                        driver.app.confirm();
                        driver.settle();
                    }
                    shot(&format!("{id}-3-middle"))?;
                    driver.app.hint();
                    driver.settle();
                    shot(&format!("{id}-4-hint"))?;
                    driver.app.show_overlay(0);
                    shot(&format!("{id}-5-overlay"))?;
                    driver.app.show_overlay(-1);
                    driver.tap_taken();
                    shot(&format!("{id}-6-refused"))?;
                    driver.app.resign();
                    driver.settle();
                    shot(&format!("{id}-7-over"))?;
                    driver.app.open_rules(&id);
                    shot(&format!("{id}-8-rules"))?;
                    driver.app.open(Page::Home);
                }
                let zh = lang == "zh";
                driver.app.open_new_game("go");
                let rules = if zh {
                    "选择规则"
                } else {
                    "Choose the rules"
                };
                driver.scroll_to(rules);
                driver.click(rules);
                driver.scroll_to(if zh {
                    "Tromp–Taylor 规则"
                } else {
                    "Tromp–Taylor"
                });
                shot("go-9-rule-sets")?;
                driver.click(if zh { "中国规则" } else { "Chinese" });
                let more = if zh { "更多选项" } else { "More options" };
                driver.scroll_to(more);
                driver.click(more);
                driver.scroll_to(if zh {
                    "协商死子"
                } else {
                    "Agree on dead stones"
                });
                shot("go-10-more-options")?;
                driver.seat_people();
                driver.app.start_draft();
                driver.settle();
                for name in [
                    "C3", "G7", "C7", "G3", "E5", "G5", "D8", "F2", "C2", "F8", "D4", "C8",
                ] {
                    driver.tap(name);
                    driver.app.confirm();
                    driver.settle();
                }
                driver.app.show_overlay(4);
                driver.settle();
                shot("go-11-analysis")?;
                driver.app.show_overlay(-1);
                for _ in 0..2 {
                    driver.click(if zh { "停一手" } else { "Pass" });
                    driver.settle();
                }
                shot("go-12-counting")?;
                let score = if zh { "计分" } else { "Score" };
                if driver.shows(score) {
                    driver.click(score);
                    shot("go-13-score")?;
                    driver.special_key(slint::platform::Key::Escape);
                }
                for _ in 0..2 {
                    driver.click(if zh { "确认结果" } else { "Agree" });
                    driver.settle();
                }
                shot("go-14-counted")?;
                driver.app.open(Page::Home);
                for (screen, page) in [
                    ("settings", Page::Settings),
                    ("plugins", Page::Plugins),
                    ("about", Page::About),
                ] {
                    driver.app.open(page);
                    shot(screen)?;
                }
                driver.app.window().global::<Shell>().set_page(Page::Home);
            }
        }
    }
    Ok(count)
}

fn save(driver: &Driver, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let pixels = driver.app.window().window().take_snapshot()?;
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()?
        .write_image_data(pixels.as_bytes())?;
    Ok(())
}
