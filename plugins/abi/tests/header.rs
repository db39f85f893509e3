//! `include/game_plugin.h` and `src/lib.rs` are one ABI, told twice.
//!
//! The header is compiled as C and as C++ without a warning. The names of all
//! constants, structs and fields are read out of both texts, so that one which
//! exists on one side only is found; then a small C program, made here, prints
//! what the C compiler makes of each, and Rust's own figures are compared with
//! it. The type of every field, with the arguments of every function, is asserted
//! inside that program.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qiju_abi::*;

const RUST: &str = include_str!("../src/lib.rs");
const HEADER: &str = include_str!("../include/game_plugin.h");

/// A difference between the two sides, or a compiler that cannot be run.
type Check<T> = Result<T, String>;

// ---- What Rust makes of each name ------------------------------------------

struct StructFacts {
    name: &'static str,
    size: usize,
    align: usize,
    /// Name and offset.
    fields: Vec<(&'static str, usize)>,
}

macro_rules! struct_facts {
    ($($name:ident { $($field:ident),+ $(,)? })+) => {
        vec![$(StructFacts {
            name: stringify!($name),
            size: size_of::<$name>(),
            align: align_of::<$name>(),
            fields: vec![$((stringify!($field), std::mem::offset_of!($name, $field))),+],
        }),+]
    };
}

fn rust_structs() -> Vec<StructFacts> {
    struct_facts! {
        GpStr { ptr, len }
        GpText { ptr, cap, len }
        GpMove { kind, from, to, arg }
        GpCell { piece, mark, flags, number, tint }
        GpStatus {
            size, phase, flags, outcome, reason, to_move, winner, timeout_ms, score, captures,
            lives, streak, move_number, reserved, key,
        }
        GpAiParams {
            size, level, threads, flags, seed, node_limit, time_ms, player, candidates, reserved,
        }
        GpCandidate { mv, win_permille, visits }
        GpAiReport {
            size, candidates_cap, candidates_len, line_cap, line_len, heat_cap, heat_len,
            win_permille, best, nodes, depth, reserved, candidates, line, heat,
        }
        GpLevelResult { size, passed, stars, points }
        GamePlugin {
            size, reserved, describe, create, clone, destroy, layout, view, status, status_text,
            moves, apply, explain, move_text, parse_move, move_label, write_record, read_record,
            ai_start, ai_step, ai_cancel, ai_free, overlay, level, level_result, extension,
            tally,
        }
        GamePluginEntry { size, magic, abi_major, abi_minor, count, reserved, plugin }
    }
}

macro_rules! numbers {
    ($($name:ident)+) => {
        vec![$((stringify!($name), i128::from_constant($name))),+]
    };
}

/// A constant as the number that the C program prints.
trait FromConstant<T> {
    fn from_constant(value: T) -> Self;
}

macro_rules! from_constant {
    ($($type:ty)+) => {
        $(impl FromConstant<$type> for i128 {
            fn from_constant(value: $type) -> Self {
                value as i128
            }
        })+
    };
}
from_constant!(u16 u32 i32 usize);

fn rust_numbers() -> Vec<(&'static str, i128)> {
    numbers! {
        GP_MAGIC GP_ABI_MAJOR GP_ABI_MINOR
        GP_OK GP_MORE GP_E_BUFFER GP_E_ARGUMENT GP_E_ILLEGAL GP_E_PARSE GP_E_OPTION
        GP_E_UNSUPPORTED GP_E_PANIC GP_E_RESOURCE
        GP_NONE GP_VIEWER_PUBLIC GP_MAX_PLAYERS GP_OVERLAY_NONE
        GP_MOVE_PLACE GP_MOVE_STEP GP_MOVE_PASS GP_MOVE_RESIGN GP_MOVE_CHOOSE GP_MOVE_TAP
        GP_MOVE_TIMEOUT GP_MOVE_SETUP GP_MOVE_FLAG
        GP_EVENT_PLACE GP_EVENT_STEP GP_EVENT_CAPTURE GP_EVENT_CHECK GP_EVENT_FLIP GP_EVENT_MATCH
        GP_EVENT_MISS GP_EVENT_PASS GP_EVENT_WIN GP_EVENT_END GP_EVENT_PHASE
        GP_MARK_NONE GP_MARK_TRIANGLE GP_MARK_SQUARE GP_MARK_CIRCLE GP_MARK_CROSS
        GP_MARK_DOT_FIRST GP_MARK_DOT_SECOND
        GP_CELL_LAST GP_CELL_LAST_FROM GP_CELL_TARGET GP_CELL_CHECK GP_CELL_FACE_DOWN GP_CELL_FLASH
        GP_CELL_DEAD GP_CELL_WINNING GP_CELL_RIGHT GP_CELL_WRONG GP_CELL_NUMBER GP_CELL_VOID
        GP_CELL_SELECTED GP_CELL_PLAYABLE GP_CELL_DIM
        GP_OUTCOME_RUNNING GP_OUTCOME_WIN GP_OUTCOME_DRAW GP_OUTCOME_PASSED GP_OUTCOME_FAILED
        GP_REASON_SCORE GP_REASON_RESIGN GP_REASON_TIME GP_REASON_LINE GP_REASON_MATE
        GP_REASON_NO_MOVES GP_REASON_REPETITION GP_REASON_PERPETUAL GP_REASON_MOVE_LIMIT
        GP_REASON_MATERIAL GP_REASON_FULL GP_REASON_FORBIDDEN GP_REASON_COMPLETE GP_REASON_LIVES
        GP_STATUS_CHECK GP_STATUS_FINAL GP_STATUS_SCORE GP_STATUS_CAPTURES GP_STATUS_LIVES
        GP_STATUS_REDEAL_IF_HIDDEN GP_STATUS_CAN_PASS
        GP_AI_HINT GP_AI_INFINITE
    }
}

fn rust_texts() -> Vec<(&'static str, &'static str)> {
    vec![("GP_ENTRY_SYMBOL", GP_ENTRY_SYMBOL)]
}

// ---- The names and types that the two texts declare --------------------------

/// The names in one of the two texts, sorted.
#[derive(Debug, PartialEq, Eq)]
struct Names {
    constants: Vec<String>,
    /// "Struct.field", and "Struct" alone for each struct.
    fields: Vec<String>,
}

impl Names {
    fn new(mut constants: Vec<String>, mut fields: Vec<String>) -> Self {
        constants.sort();
        fields.sort();
        Self { constants, fields }
    }

    /// What is in one of two sides only, in words.
    fn differences(&self, here: &str, other: &Self, there: &str) -> Check<()> {
        let missing = |from: &[String], to: &[String], at: &str| {
            let lost: Vec<_> = from.iter().filter(|name| !to.contains(name)).collect();
            if lost.is_empty() {
                String::new()
            } else {
                format!("not in {at}: {lost:?}\n")
            }
        };
        let words = [
            missing(&self.constants, &other.constants, there),
            missing(&self.fields, &other.fields, there),
            missing(&other.constants, &self.constants, here),
            missing(&other.fields, &self.fields, here),
        ]
        .concat();
        if words.is_empty() { Ok(()) } else { Err(words) }
    }
}

/// A field of a struct of `src/lib.rs`: struct, field, Rust type.
type RustField = (String, String, String);

fn without_rust_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

fn rust_fields() -> Vec<RustField> {
    let text = without_rust_comments(RUST);
    let mut fields = Vec::new();
    for declaration in text.split("pub struct ").skip(1) {
        let (name, rest) = declaration.split_once('{').expect("a struct has a body");
        let body = rest.split('}').next().unwrap_or_default();
        for field in body.split("pub ").skip(1) {
            let (field, kind) = field.split_once(':').expect("a field has a type");
            let kind = kind.trim().trim_end_matches(',').trim();
            fields.push((
                name.trim().to_owned(),
                field.trim().to_owned(),
                kind.to_owned(),
            ));
        }
    }
    fields
}

fn rust_names() -> Names {
    let constants = without_rust_comments(RUST)
        .split("pub const ")
        .skip(1)
        .filter_map(|rest| rest.split_once(':'))
        .map(|(name, _)| name.trim().to_owned())
        .collect();
    let mut fields = Vec::new();
    for (name, field, _) in rust_fields() {
        if !fields.contains(&name) {
            fields.push(name.clone());
        }
        fields.push(format!("{name}.{field}"));
    }
    Names::new(constants, fields)
}

fn header_names(header: &str) -> Names {
    let mut text = String::new();
    for (index, part) in header.split("/*").enumerate() {
        text.push_str(if index == 0 {
            part
        } else {
            part.split_once("*/").map_or("", |(_, rest)| rest)
        });
    }
    let constants = text
        .split("#define GP_")
        .skip(1)
        .map(|rest| format!("GP_{}", rest.split_whitespace().next().unwrap_or_default()))
        .collect();
    let mut fields = Vec::new();
    for declaration in text.split("typedef struct ").skip(1) {
        let (name, rest) = declaration.split_once('{').expect("a struct has a body");
        let (body, _) = rest.split_once('}').expect("a struct ends");
        fields.push(name.trim().to_owned());
        for field in body
            .split(';')
            .map(str::trim)
            .filter(|field| !field.is_empty())
        {
            // `int32_t (*apply)(GpState state, …)`, `int32_t score[4]`, `uint32_t size`
            let field = match field.split_once("(*") {
                Some((_, function)) => function.split(')').next(),
                None => field
                    .split('[')
                    .next()
                    .and_then(|plain| plain.rsplit([' ', '*']).next()),
            };
            fields.push(format!("{}.{}", name.trim(), field.unwrap_or_default()));
        }
    }
    Names::new(constants, fields)
}

/// The C type of a pointer to a value of a Rust type of `src/lib.rs`.
fn c_pointer_to(kind: &str) -> Check<String> {
    if let Some(array) = kind.strip_prefix('[') {
        let (element, len) = array.trim_end_matches(']').split_once(';').ok_or(kind)?;
        return Ok(format!("{} (*)[{}]", c_type(element.trim())?, len.trim()));
    }
    if let Some(function) = kind.strip_prefix("Option<") {
        let (_, signature) = function.split_once("extern \"C\" fn(").ok_or(kind)?;
        let (arguments, result) = signature.rsplit_once(')').ok_or(kind)?;
        let result = result
            .trim()
            .trim_end_matches('>')
            .trim_end_matches([',', '\n', ' ']);
        let result = match result.strip_prefix("->") {
            Some(result) => c_type(result.trim().trim_end_matches(','))?,
            None => "void".to_owned(),
        };
        let arguments: Vec<String> = arguments
            .split(',')
            .map(str::trim)
            .filter(|argument| !argument.is_empty())
            .map(|argument| c_type(argument.split_once(':').ok_or(kind)?.1.trim()))
            .collect::<Check<_>>()?;
        return Ok(format!("{result} (**)({})", arguments.join(", ")));
    }
    Ok(format!("{} *", c_type(kind)?))
}

fn c_type(kind: &str) -> Check<String> {
    if let Some(pointee) = kind.strip_prefix("*mut ") {
        return Ok(format!("{} *", c_type(pointee)?));
    }
    if let Some(pointee) = kind.strip_prefix("*const ") {
        return Ok(format!("const {} *", c_type(pointee)?));
    }
    Ok(match kind {
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i32" => "int32_t",
        "c_void" => "void",
        name if name.starts_with("Gp") || name.starts_with("GamePlugin") => name,
        other => return Err(format!("no C type is known for {other:?}")),
    }
    .to_owned())
}

// ---- The C side ---------------------------------------------------------------

/// A program that prints every size, alignment, offset and constant, and does not
/// compile if a field has another type than in Rust.
fn c_program() -> Check<String> {
    let mut program =
        String::from("#include <stddef.h>\n#include <stdio.h>\n#include \"game_plugin.h\"\n");
    for (name, field, kind) in rust_fields() {
        let pointer = c_pointer_to(&kind)?;
        let _ = writeln!(
            program,
            "_Static_assert(_Generic(&((({name} *)0)->{field}), {pointer}: 1, default: 0), \"type of {name}.{field}\");"
        );
    }
    // The prototype and its type agree with each other.
    program.push_str("static GamePluginEntryFn entry_type(void) { return game_plugin_entry; }\n");
    program.push_str("const GamePluginEntry *game_plugin_entry(void) { return NULL; }\n");
    program.push_str("int main(void) {\n    if (entry_type()() != NULL) { return 1; }\n");
    for facts in rust_structs() {
        let name = facts.name;
        let _ = writeln!(
            program,
            "    printf(\"{name} %zu %zu\\n\", sizeof({name}), _Alignof({name}));"
        );
        for (field, _) in facts.fields {
            let _ = writeln!(
                program,
                "    printf(\"{name}.{field} %zu\\n\", offsetof({name}, {field}));"
            );
        }
    }
    for (name, _) in rust_numbers() {
        let _ = writeln!(
            program,
            "    printf(\"{name} %lld\\n\", (long long){name});"
        );
    }
    for (name, _) in rust_texts() {
        let _ = writeln!(program, "    printf(\"{name} %s\\n\", {name});");
    }
    program.push_str("    return 0;\n}\n");
    Ok(program)
}

/// The same lines from Rust's figures.
fn rust_lines() -> String {
    let mut lines = String::new();
    for facts in rust_structs() {
        let _ = writeln!(lines, "{} {} {}", facts.name, facts.size, facts.align);
        for (field, offset) in facts.fields {
            let _ = writeln!(lines, "{}.{field} {offset}", facts.name);
        }
    }
    for (name, value) in rust_numbers() {
        let _ = writeln!(lines, "{name} {value}");
    }
    for (name, value) in rust_texts() {
        let _ = writeln!(lines, "{name} {value}");
    }
    lines
}

/// An empty folder for the files of one test, below cargo's own for tests.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("header-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder of this test can be removed");
    }
    fs::create_dir_all(&folder).expect("cargo's folder for tests is writable");
    folder
}

/// Runs a command, and gives what it printed.
fn run(command: &mut Command, package: &str) -> Check<String> {
    let output = command.output().map_err(|error| {
        format!("{command:?} cannot be run ({error}): on Debian, install the package {package}")
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

fn compiler(variable: &str, default: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| default.into()))
}

/// Everything that must hold between a header and `src/lib.rs`.
fn check(header: &str, folder: &Path) -> Check<()> {
    rust_names().differences("src/lib.rs", &header_names(header), "game_plugin.h")?;

    fs::write(folder.join("game_plugin.h"), header).map_err(|error| error.to_string())?;
    let source = folder.join("facts.c");
    let program = folder.join("facts");
    fs::write(&source, c_program()?).map_err(|error| error.to_string())?;
    run(
        compiler("CC", "cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Wpadded", "-Werror", "-o"])
            .arg(&program)
            .arg(&source),
        "gcc",
    )?;
    let printed = run(&mut Command::new(&program), "gcc")?;
    let rust = rust_lines();
    for (c, rust) in printed.lines().zip(rust.lines()) {
        if c != rust {
            return Err(format!("C says {c:?}, Rust says {rust:?}"));
        }
    }
    if printed.lines().count() == rust.lines().count() {
        Ok(())
    } else {
        Err(format!(
            "C printed {} lines of {}",
            printed.lines().count(),
            rust.lines().count()
        ))
    }
}

// ---- The tests -------------------------------------------------------------------

#[test]
fn this_test_lists_every_name_of_the_rust_side() {
    let constants = rust_numbers()
        .iter()
        .map(|(name, _)| *name)
        .chain(rust_texts().iter().map(|(name, _)| *name))
        .map(str::to_owned)
        .collect();
    let mut fields = Vec::new();
    for facts in rust_structs() {
        fields.push(facts.name.to_owned());
        fields.extend(
            facts
                .fields
                .iter()
                .map(|(field, _)| format!("{}.{field}", facts.name)),
        );
    }
    let listed = Names::new(constants, fields);
    listed
        .differences("tests/header.rs", &rust_names(), "src/lib.rs")
        .unwrap_or_else(|words| panic!("{words}"));
    assert_eq!(listed, rust_names(), "a name is listed twice");
}

#[test]
fn the_header_is_the_same_abi() {
    check(HEADER, &folder("same")).unwrap_or_else(|words| panic!("{words}"));
}

#[test]
fn the_header_is_cpp_too() {
    let folder = folder("cpp");
    let source = folder.join("include.cpp");
    fs::write(
        &source,
        "#include \"game_plugin.h\"\n\
         extern \"C\" const GamePluginEntry *game_plugin_entry(void) { return nullptr; }\n",
    )
    .expect("the test's folder is writable");
    run(
        compiler("CXX", "c++")
            .args([
                "-std=c++17",
                "-Wall",
                "-Wextra",
                "-Wpadded",
                "-Werror",
                "-I",
            ])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
            .args(["-c", "-o"])
            .arg(folder.join("include.o"))
            .arg(&source),
        "g++",
    )
    .unwrap_or_else(|words| panic!("{words}"));
}

/// Each line of the header with a fault in it, and a word that the report must hold.
#[test]
fn a_difference_of_any_kind_is_found() {
    let folder = folder("different");
    for (good, bad, word) in [
        (
            "#define GP_EVENT_PHASE (UINT32_C(1) << 10)",
            "",
            "GP_EVENT_PHASE",
        ),
        (
            "#define GP_OK INT32_C(0)",
            "#define GP_OK INT32_C(0)\n#define GP_FINE INT32_C(0)",
            "GP_FINE",
        ),
        (
            "#define GP_E_PANIC INT32_C(-7)",
            "#define GP_E_PANIC INT32_C(-9)",
            "GP_E_PANIC",
        ),
        ("    uint64_t key;", "", "GpStatus.key"),
        (
            "    uint64_t key;",
            "    uint64_t key;\n    uint64_t more;",
            "GpStatus.more",
        ),
        ("    uint64_t key;", "    int64_t key;", "GpStatus.key"),
        (
            "    int32_t lives;\n",
            "    float lives;\n",
            "GpStatus.lives",
        ),
        ("score[GP_MAX_PLAYERS]", "score[2]", "GpStatus.score"),
        (
            "(*ai_free)(GpJob job)",
            "(*ai_free)(GpJob job, uint32_t why)",
            "GamePlugin.ai_free",
        ),
        ("    uint32_t visits;", "    uint16_t visits;", "padding"),
        (
            "\"game_plugin_entry\"",
            "\"game_plugin_main\"",
            "GP_ENTRY_SYMBOL",
        ),
    ] {
        assert!(HEADER.contains(good), "the header has no {good:?}");
        let report = check(&HEADER.replacen(good, bad, 1), &folder).expect_err(bad);
        assert!(
            report.contains(word),
            "{good:?} -> {bad:?} reported without {word:?}:\n{report}"
        );
    }
    // Two fields of one type that changed places keep every name and type.
    let swapped = HEADER
        .replacen("uint32_t stars;", "uint32_t @;", 1)
        .replacen("uint32_t passed;", "uint32_t stars;", 1)
        .replacen("uint32_t @;", "uint32_t passed;", 1);
    let report = check(&swapped, &folder).expect_err("swapped fields");
    assert!(report.contains("GpLevelResult."), "{report}");
}
