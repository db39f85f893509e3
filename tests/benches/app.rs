//! What a player waits for: a call into a game, a frame after a move, the first frame.
//!
//! `cargo bench -p qiju-tests --bench app`. The plugin is the real library of Go, the screens are
//! the real ones, the renderer is Slint's software renderer, and a window is a buffer in memory.
//! `docs/PERFORMANCE.md` says what is measured by hand besides.

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group};
use qiju::CellView;
use qiju::plugins::{Game, Lang, load};
use qiju_tests::drawn::Drawn;
use qiju_tests::{built, library_name};
use slint::Model;

/// The board that is measured.
const SIDE: i32 = 19;
/// Moves of a game that has come to its middle.
const MOVES: usize = 120;
/// The two windows that are measured, in pixels.
const WINDOWS: [(u32, u32); 2] = [(1280, 800), (3840, 2160)];
/// Set for the child process that draws one first frame: its data folder, the plugins' folder, the program.
const CHILD: [&str; 3] = [
    "QIJU_BENCH_DATA",
    "QIJU_BENCH_PLUGINS",
    "QIJU_BENCH_PROGRAM",
];
/// What the child says when its first frame is drawn.
const FIRST_FRAME: &str = "first frame";

/// A game of Go in its middle; the same one each time.
fn middle_game() -> Game {
    let file = built().bundled.join(library_name("qiju_go"));
    let plugins = load(&file).unwrap_or_else(|error| panic!("{error}"));
    let options = [("size".to_owned(), i64::from(SIDE).into())]
        .into_iter()
        .collect();
    let game = plugins
        .first()
        .map(|plugin| plugin.create(&options, 1, Lang::En));
    let Some(Ok(mut game)) = game else {
        panic!("no board of {SIDE}×{SIDE}")
    };
    for number in 0..MOVES {
        let moves = game.moves(None).unwrap_or_else(|error| panic!("{error}"));
        let Some(mv) = moves.get(number * 37 % moves.len().max(1)) else {
            panic!("no legal move")
        };
        game.apply(*mv).unwrap_or_else(|error| panic!("{error}"));
    }
    game
}

/// One call each through the safe API, and with it through the C ABI.
fn abi_calls(criterion: &mut Criterion) {
    let game = middle_game();
    let moves = game.moves(None).unwrap_or_else(|error| panic!("{error}"));
    let Some(&mv) = moves.get(moves.len() / 2) else {
        panic!("no legal move")
    };
    let mut group = criterion.benchmark_group("abi");
    group.bench_function("status", |bencher| bencher.iter(|| game.status()));
    group.bench_function("view", |bencher| bencher.iter(|| game.view(0, None)));
    group.bench_function("moves", |bencher| bencher.iter(|| game.moves(None)));
    group.bench_function("clone", |bencher| bencher.iter(|| game.try_clone()));
    group.bench_function("apply", |bencher| {
        bencher.iter_batched_ref(
            || game.try_clone(),
            |copy| copy.as_mut().map(|copy| copy.apply(mv)).is_ok(),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// A board in a window, with a middle game of forty moves on it.
fn board(data: &Path, window: (u32, u32)) -> Drawn {
    let drawn = Drawn::start(data, &built().bundled, &built().program, window);
    drawn.play("go", ("size", SIDE));
    for number in 0..40 {
        drawn.tap(number * 37 % (SIDE * SIDE));
        drawn.rest();
    }
    drawn
}

/// A cell that may be played on; one after the other they are spread over the board.
fn free_cell(drawn: &Drawn) -> i32 {
    let rows = drawn.cells();
    let free = (0..SIDE * SIDE)
        .map(|number| number * 37 % (SIDE * SIDE))
        .find(|&cell| {
            usize::try_from(cell)
                .is_ok_and(|cell| rows.row_data(cell).is_some_and(|cell| cell.playable))
        });
    free.unwrap_or_else(|| panic!("no cell may be played on"))
}

/// The middle point, which [`board`] leaves empty.
const MIDDLE: i32 = SIDE * SIDE / 2;

/// A placed stone to a rendered frame.
fn frames(criterion: &mut Criterion) {
    let data = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut group = criterion.benchmark_group("stone to frame");
    for (number, window) in WINDOWS.into_iter().enumerate() {
        let drawn = board(&data.path().join(number.to_string()), window);
        let size = format!("{}x{}", window.0, window.1);

        // The rows that a move changes, as the app sets them.
        let rows = drawn.cells();
        let before: Vec<CellView> = rows.iter().collect();
        drawn.tap(MIDDLE);
        drawn.rest();
        let after: Vec<CellView> = rows.iter().collect();
        drawn.undo();
        let changed: Vec<usize> = (0..after.len())
            .filter(|&row| before.get(row) != after.get(row))
            .collect();
        assert!(!changed.is_empty(), "the middle was not played");
        let set = |cells: &[CellView]| {
            for &row in &changed {
                if let Some(cell) = cells.get(row) {
                    rows.set_row_data(row, cell.clone());
                }
            }
        };

        let mut pixels = 0;
        group.bench_function(format!("rows, {size}"), |bencher| {
            bencher.iter_custom(|times| {
                let mut total = Duration::ZERO;
                for _ in 0..times {
                    let start = Instant::now();
                    set(&after);
                    pixels = drawn.draw();
                    total += start.elapsed();
                    set(&before);
                    drawn.rest();
                }
                total
            });
        });
        if pixels > 0 {
            println!("{} rows change, {pixels} pixels are drawn", changed.len());
        }
        pixels = 0;
        let mut played = 0;
        group.bench_function(format!("tap, {size}"), |bencher| {
            bencher.iter_custom(|times| {
                let mut total = Duration::ZERO;
                for _ in 0..times {
                    if played % MOVES == 0 {
                        drawn.play("go", ("size", SIDE));
                    }
                    played += 1;
                    let cell = free_cell(&drawn);
                    let start = Instant::now();
                    drawn.tap(cell);
                    pixels = drawn.draw();
                    total += start.elapsed();
                    drawn.rest();
                }
                total
            });
        });
        if pixels > 0 {
            println!("{pixels} pixels are drawn");
        }
    }
    group.finish();
}

/// A fresh process to its first frame.
fn start(criterion: &mut Criterion) {
    let data = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let own = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let mut group = criterion.benchmark_group("start");
    group.sample_size(20);
    group.bench_function("process to first frame, 1280x800", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| first_frame(&own, data.path())).sum());
    });
    group.finish();
}

/// Starts this program again as a child that draws one frame, and waits for that.
fn first_frame(own: &Path, data: &Path) -> Duration {
    let start = Instant::now();
    let child = Command::new(own)
        .envs(
            CHILD
                .into_iter()
                .zip([data, &built().bundled, &built().program]),
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{}: {error}", own.display()));
    // The app may have something to say, too.
    let said = child.stdout.take().is_some_and(|output| {
        BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .any(|line| line == FIRST_FRAME)
    });
    let time = start.elapsed();
    let status = child.wait();
    assert!(
        said && status.is_ok_and(|status| status.success()),
        "the child drew no frame"
    );
    time
}

criterion_group!(benches, abi_calls, frames, start);

fn main() {
    let [data, plugins, program] = CHILD.map(|name| std::env::var_os(name).map(PathBuf::from));
    if let (Some(data), Some(plugins), Some(program)) = (data, plugins, program) {
        let drawn = Drawn::start(&data, &plugins, &program, WINDOWS[0]);
        println!("{FIRST_FRAME}");
        black_box(drawn);
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
