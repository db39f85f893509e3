//! The desktop program `qiju`; everything it does is in the library.

// No console window beside the app on Windows.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    qiju::desktop::main(std::env::args_os().skip(1))
}
