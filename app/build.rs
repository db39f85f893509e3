//! Compiles the screens of `ui/` with their translations.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The tests find elements by their labels, for which Slint needs this; the release build goes without.
    let tested = std::env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    let config = slint_build::CompilerConfiguration::new()
        .with_bundled_translations("../ui/lang")
        .with_debug_info(tested);
    slint_build::compile_with_config("../ui/main.slint", config)?;
    println!("cargo:rerun-if-changed=../ui/lang");
    Ok(())
}
