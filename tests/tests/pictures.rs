//! The pictures of `cargo xtask shots` can be drawn: every screen is reached by the ways that a player has.

use std::process::Command;

#[test]
fn every_screen_is_reached_on_a_phone() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_shots"))
        .arg(folder.path())
        .arg("phone-light-en")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    for screen in [
        "home",
        "go-9-rule-sets",
        "go-13-score",
        "go-14-counted",
        "about",
    ] {
        let picture = folder.path().join(format!("{screen}-phone-light-en.png"));
        let size = picture.metadata().map_or(0, |about| about.len());
        assert!(size > 1000, "{screen}: {size} bytes");
    }
}
