//! Compiles the screens of `ui/` with their translations.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = slint_build::CompilerConfiguration::new().with_bundled_translations("../ui/lang");
    slint_build::compile_with_config("../ui/main.slint", config)?;
    println!("cargo:rerun-if-changed=../ui/lang");
    Ok(())
}
