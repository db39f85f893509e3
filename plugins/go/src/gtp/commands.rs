//! The commands: what each takes, does and answers.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::ai::player::{Player, Strength};
use crate::gtp::Input;
use crate::gtp::analysis::{self, Dialect, Request};
use crate::gtp::clock::{Allotment, MAX_TIME, System};
use crate::gtp::engine::{self, Session};
use crate::gtp::line::Line;
use crate::notation;
use crate::rules::{
    self, Action, Color, End, Game, HandicapBonus, KoRule, MAX_HANDICAP, MAX_KOMI, MAX_SIZE,
    MIN_SIZE, Options, Phase, RuleSet, Scoring, handicap_points, max_free_handicap, max_handicap,
};
use crate::score;
use crate::sgf::record;

/// The commands, in the order in which `list_commands` names them.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "kgs-time_settings",
    "kgs-rules",
    "kgs-genmove_cleanup",
    "kata-set-rules",
    "kata-get-rules",
    "final_score",
    "final_status_list",
    "showboard",
    "loadsgf",
    "lz-analyze",
    "kata-analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "stop",
    "clear_cache",
    "gogui-analyze_commands",
];

/// What GoGui offers in its list of analyses: kind of answer, label, command.
const GOGUI_COMMANDS: &[&str] = &[
    "move/Best Move/reg_genmove %c",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/Black Territory/final_status_list black_territory",
    "plist/White Territory/final_status_list white_territory",
    "plist/Neutral Points/final_status_list dame",
    "string/Final Score/final_score",
    "string/Rules/kata-get-rules",
];

/// The largest file that `loadsgf` reads, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// How often a search looks whether the next line has come.
const LOOK: Duration = Duration::from_millis(20);

/// What a command answers, or why it does not.
type Answer = Result<String, String>;

/// The arguments of a command, read one by one.
struct Arguments<'a> {
    command: &'a str,
    rest: std::slice::Iter<'a, String>,
}

impl<'a> Arguments<'a> {
    /// The next one; `what` names it in the error.
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.rest
            .next()
            .map(String::as_str)
            .ok_or_else(|| format!("syntax error: {} needs {what}", self.command))
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let text = self.next(what)?;
        text.parse()
            .map_err(|_| format!("syntax error: {text:?} is not {what}"))
    }

    fn color(&mut self) -> Result<Color, String> {
        let text = self.next("a colour")?;
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Color::Black),
            "w" | "white" => Ok(Color::White),
            _ => Err(format!("invalid color {text:?}")),
        }
    }

    /// Seconds, not negative; what is beyond 30 years is cut off.
    fn seconds(&mut self, what: &str) -> Result<Duration, String> {
        let text = self.next(what)?;
        let number: Option<f64> = text.parse().ok();
        number
            .filter(|&number| number >= 0.0)
            .map(|number| Duration::from_secs_f64(number.min(MAX_TIME.as_secs_f64())))
            .ok_or_else(|| format!("syntax error: {text:?} is not {what}"))
    }
}

/// Answers a line; true for `quit`.
pub(super) fn answer(
    session: &mut Session,
    line: &Line,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<bool> {
    let id = line.id.as_str();
    let analysis = match line.command.as_str() {
        "lz-analyze" => Some((Dialect::LeelaZero, false)),
        "kata-analyze" => Some((Dialect::KataGo, false)),
        "lz-genmove_analyze" => Some((Dialect::LeelaZero, true)),
        "kata-genmove_analyze" => Some((Dialect::KataGo, true)),
        _ => None,
    };
    if let Some((dialect, plays)) = analysis {
        analyze(session, dialect, plays, line, input, sink)?;
        return Ok(false);
    }
    match run(session, line) {
        Ok(text) if text.is_empty() => write!(sink, "={id}\n\n")?,
        Ok(text) => write!(sink, "={id} {text}\n\n")?,
        Err(message) => refuse(sink, id, &message)?,
    }
    sink.flush()?;
    Ok(line.command == "quit")
}

/// Writes an error, on one line.
fn refuse(sink: &mut impl Write, id: &str, message: &str) -> io::Result<()> {
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    write!(sink, "?{id} {}\n\n", lines.join("; "))
}

/// Runs a command that answers once.
fn run(session: &mut Session, line: &Line) -> Answer {
    let mut arguments = Arguments {
        command: &line.command,
        rest: line.arguments.iter(),
    };
    let arguments = &mut arguments;
    match line.command.as_str() {
        "protocol_version" => Ok("2".to_owned()),
        "name" => Ok("Qiju Go".to_owned()),
        "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        "known_command" => {
            let name = arguments.next("a command")?;
            Ok(COMMANDS.contains(&name).to_string())
        }
        "list_commands" => Ok(COMMANDS.join("\n")),
        "quit" => Ok(String::new()),
        "boardsize" => boardsize(session, arguments),
        "clear_board" => clear_board(session),
        "komi" => komi(session, arguments),
        "fixed_handicap" => fixed_handicap(session, arguments),
        "place_free_handicap" => place_free_handicap(session, arguments),
        "set_free_handicap" => set_free_handicap(session, arguments),
        "play" => play(session, arguments),
        "genmove" => genmove(session, arguments),
        "reg_genmove" => reg_genmove(session, arguments),
        "undo" if session.undo() => Ok(String::new()),
        "undo" => Err("cannot undo".to_owned()),
        "time_settings" => time_settings(session, arguments),
        "kgs-time_settings" => kgs_time_settings(session, arguments),
        "time_left" => time_left(session, arguments),
        "kgs-genmove_cleanup" => genmove_cleanup(session, arguments),
        "kgs-rules" | "kata-set-rules" => set_rules(session, arguments),
        "kata-get-rules" => Ok(rules_as_json(session.game.options())),
        "final_score" => Ok(final_score(&session.game)),
        "final_status_list" => final_status_list(&session.game, arguments),
        "showboard" => Ok(showboard(&session.game)),
        "loadsgf" => loadsgf(session, arguments),
        // An analysis has ended when the line came.
        "stop" => Ok(String::new()),
        "clear_cache" => {
            session.forget();
            Ok(String::new())
        }
        "gogui-analyze_commands" => Ok(GOGUI_COMMANDS.join("\n")),
        "" => Err("syntax error: a number without a command".to_owned()),
        _ => Err("unknown command".to_owned()),
    }
}

fn boardsize(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size: i64 = arguments.number("a board size")?;
    let size = u8::try_from(size)
        .ok()
        .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))
        .ok_or("unacceptable size")?;
    let options = Options {
        size,
        ..fresh_options(session)
    };
    begin(session, options)
}

fn clear_board(session: &mut Session) -> Answer {
    let options = fresh_options(session);
    begin(session, options)
}

/// The options of the present game without its handicap.
fn fresh_options(session: &Session) -> Options {
    Options {
        handicap: 0,
        free_handicap: false,
        ..*session.game.options()
    }
}

fn begin(session: &mut Session, options: Options) -> Answer {
    session.begin(options, Vec::new())?;
    Ok(String::new())
}

fn komi(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let komi: f64 = arguments.number("a number of points")?;
    let half = 2.0 * komi;
    if !half.is_finite() || half.abs() > f64::from(MAX_KOMI) || half.fract() != 0.0 {
        return Err(format!(
            "unacceptable komi: whole and half points between -{0} and {0}",
            MAX_KOMI / 2
        ));
    }
    let options = Options {
        komi: half as i32,
        ..*session.game.options()
    };
    session.change(options)?;
    Ok(String::new())
}

/// A number of handicap stones for a board that is still empty.
fn handicap_number(session: &Session, arguments: &mut Arguments<'_>) -> Result<i64, String> {
    let number = arguments.number("a number of stones")?;
    match session.is_fresh() {
        true => Ok(number),
        false => Err("board not empty".to_owned()),
    }
}

/// The names of points, parted by spaces.
fn vertices(cells: &[u16], size: u8) -> String {
    let names = cells.iter().map(|&cell| notation::point_name(cell, size));
    names.collect::<Vec<_>>().join(" ")
}

fn fixed_handicap(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size = session.game.options().size;
    let number = handicap_number(session, arguments)?;
    let handicap = match (max_handicap(size), u8::try_from(number)) {
        (0, _) => {
            return Err(format!(
                "invalid handicap: none on a board of {size}×{size}"
            ));
        }
        (most, Ok(number)) if (2..=most).contains(&number) => number,
        (most, _) => return Err(format!("invalid handicap: 2 to {most} stones")),
    };
    let cells = handicap_points(size, handicap).map_err(|error| error.to_string())?;
    let options = Options {
        handicap,
        ..fresh_options(session)
    };
    begin(session, options)?;
    Ok(vertices(&cells, size))
}

fn place_free_handicap(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size = session.game.options().size;
    let number = handicap_number(session, arguments)?;
    if number < 2 {
        return Err("invalid handicap: at least 2 stones".to_owned());
    }
    // The fixed points are good ones; the protocol allows fewer stones than were asked for.
    let most = max_handicap(size);
    let handicap = u8::try_from(number).map_or(most, |number| number.min(most));
    if handicap == 0 {
        return Err(format!(
            "invalid handicap: none on a board of {size}×{size}"
        ));
    }
    let cells = handicap_points(size, handicap).map_err(|error| error.to_string())?;
    set_handicap(session, &cells)?;
    Ok(vertices(&cells, size))
}

fn set_free_handicap(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size = session.game.options().size;
    let mut cells = Vec::new();
    for name in arguments.rest.by_ref() {
        let cell = parse_vertex(name, size)?;
        let cell = cell.ok_or("bad vertex list: a handicap stone cannot be a pass")?;
        if cells.contains(&cell) {
            return Err(format!("bad vertex list: {name:?} is repeated"));
        }
        cells.push(cell);
    }
    if !session.is_fresh() {
        return Err("board not empty".to_owned());
    }
    let most = max_free_handicap(size).min(MAX_HANDICAP);
    if !(2..=usize::from(most)).contains(&cells.len()) {
        return Err(format!("bad vertex list: 2 to {most} stones"));
    }
    set_handicap(session, &cells)?;
    Ok(String::new())
}

/// Begins a game with black's handicap stones on the given cells.
fn set_handicap(session: &mut Session, cells: &[u16]) -> Result<(), String> {
    let options = Options {
        handicap: u8::try_from(cells.len()).unwrap_or(u8::MAX),
        free_handicap: true,
        ..fresh_options(session)
    };
    let stones = cells.iter().map(|&cell| Action::Place(cell));
    session.begin(options, stones.collect())
}

/// A vertex as a cell; `None` for a pass.
fn parse_vertex(text: &str, size: u8) -> Result<Option<u16>, String> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    notation::parse_point(text, size)
        .map(Some)
        .map_err(|_| format!("invalid vertex {text:?}"))
}

fn play(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    let text = arguments.next("a vertex")?;
    let action = if text.eq_ignore_ascii_case("resign") {
        Action::Resign
    } else {
        let cell = parse_vertex(text, session.game.options().size)?;
        cell.map_or(Action::Pass, Action::Place)
    };
    session.play(color, action)?;
    Ok(String::new())
}

/// An action as `genmove` answers it.
fn action_name(action: Action, size: u8) -> String {
    match action {
        Action::Place(cell) => notation::point_name(cell, size),
        Action::Resign => "resign".to_owned(),
        _ => "pass".to_owned(),
    }
}

fn genmove(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    play_thought(session, color, Session::think)
}

fn genmove_cleanup(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    play_thought(session, color, Session::think_of_cleaning_up)
}

/// Plays what `think` finds for a colour, and takes the time off its clock.
fn play_thought(
    session: &mut Session,
    color: Color,
    think: impl Fn(&mut Session, Color) -> Action,
) -> Answer {
    let started = Instant::now();
    let action = think(session, color);
    session.clock(color).spend(started.elapsed());
    session.play(color, action)?;
    Ok(action_name(action, session.game.options().size))
}

fn reg_genmove(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    let action = session.think(color);
    Ok(action_name(action, session.game.options().size))
}

fn time_settings(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let main = arguments.seconds("a main time in seconds")?;
    let period = arguments.seconds("a byo-yomi time in seconds")?;
    let stones: u32 = arguments.number("a number of stones")?;
    let system = match (main.is_zero(), period.is_zero(), stones) {
        // A period without stones means no limit at all (section 4.2); nobody can play in no time.
        (_, false, 0) | (true, true, _) => System::None,
        (false, true, _) => System::Absolute(main),
        (_, false, stones) => System::Canadian {
            main,
            period,
            stones,
        },
    };
    session.set_time_system(system);
    Ok(String::new())
}

fn kgs_time_settings(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let system = match arguments.next("a time system")? {
        "none" => System::None,
        "absolute" => System::Absolute(arguments.seconds("a main time in seconds")?),
        "byoyomi" => System::Byoyomi {
            main: arguments.seconds("a main time in seconds")?,
            period: arguments.seconds("a period in seconds")?,
            periods: arguments.number::<u32>("a number of periods")?.max(1),
        },
        "canadian" => System::Canadian {
            main: arguments.seconds("a main time in seconds")?,
            period: arguments.seconds("a period in seconds")?,
            stones: arguments.number::<u32>("a number of stones")?.max(1),
        },
        other => return Err(format!("unknown time system {other:?}")),
    };
    session.set_time_system(system);
    Ok(String::new())
}

fn time_left(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    let what = "a time in seconds";
    // Some referees go on counting below nothing.
    let left = match arguments.rest.as_slice().first() {
        Some(text) if text.parse().is_ok_and(|number: f64| number < 0.0) => {
            arguments.next(what)?;
            Duration::ZERO
        }
        _ => arguments.seconds(what)?,
    };
    let stones: u32 = arguments.number("a number of stones")?;
    session.clock(color).set(left, stones);
    Ok(String::new())
}

/// The rule set that a client names: its own name here, on KGS or in KataGo.
fn rule_set(name: &str) -> Option<RuleSet> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    match name.as_str() {
        "chinese-ogs" | "chinese-kgs" => Some(RuleSet::Chinese),
        "korean" => Some(RuleSet::Japanese),
        "bga" | "french" => Some(RuleSet::Aga),
        _ => RuleSet::ALL.into_iter().find(|rules| rules.id() == name),
    }
}

fn set_rules(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let name = arguments.next("a rule set")?;
    let rules = rule_set(name).ok_or_else(|| {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.id()).collect();
        format!("unknown rules {name:?}: {}", known.join(", "))
    })?;
    let old = *session.game.options();
    let options = Options {
        komi: old.komi,
        handicap: old.handicap,
        free_handicap: old.free_handicap,
        ..rules.options(old.size)
    };
    session.change(options)?;
    Ok(String::new())
}

/// The rules as KataGo writes them. Pass stones make territory equal to area, which is how it says it.
fn rules_as_json(options: &Options) -> String {
    let ko = match options.ko {
        KoRule::Simple => "SIMPLE",
        KoRule::PositionalSuperko => "POSITIONAL",
        KoRule::SituationalSuperko => "SITUATIONAL",
    };
    let is_area = options.scoring == Scoring::Area || options.pass_stones;
    let (scoring, tax) = match is_area {
        true => ("AREA", "NONE"),
        false => ("TERRITORY", "SEKI"),
    };
    let bonus = match options.handicap_bonus {
        HandicapBonus::AllButOne if is_area => "N-1",
        HandicapBonus::All if is_area => "N",
        _ => "0",
    };
    let (friendly, suicide) = (options.agreement, options.suicide);
    format!(
        "{{\"friendlyPassOk\":{friendly},\"hasButton\":false,\"ko\":\"{ko}\",\"scoring\":\"{scoring}\",\
         \"suicide\":{suicide},\"tax\":\"{tax}\",\"whiteHandicapBonus\":\"{bonus}\"}}"
    )
}

/// The dead stones as they were agreed on or, before that, as they look.
fn dead_stones(game: &Game) -> Vec<bool> {
    let is_marked = game.phase() == Phase::Counting || game.end() == Some(End::Score);
    match (is_marked, game.options().agreement) {
        (_, false) => Vec::new(),
        (true, true) => game.dead().to_vec(),
        (false, true) => game.proposal(),
    }
}

fn final_score(game: &Game) -> String {
    match game.end() {
        Some(End::Resigned(Color::White)) => return "B+R".to_owned(),
        Some(End::Resigned(Color::Black)) => return "W+R".to_owned(),
        Some(End::TimeOut(Color::White)) => return "B+T".to_owned(),
        Some(End::TimeOut(Color::Black)) => return "W+T".to_owned(),
        Some(End::Score) | None => {}
    }
    let lead = game.score_of(&game.count_with(&dead_stones(game))).lead();
    let points = f64::from(lead.abs()) / 2.0;
    match lead {
        0 => "0".to_owned(),
        1.. => format!("B+{points:.1}"),
        _ => format!("W+{points:.1}"),
    }
}

/// Every stone is alive, dead or in seki, every empty point somebody's territory or neutral (dame).
fn final_status_list(game: &Game, arguments: &mut Arguments<'_>) -> Answer {
    let status = arguments.next("a status")?.to_ascii_lowercase();
    let board = game.position().board();
    let size = board.size();
    let dead = dead_stones(game);
    let seki = score::seki(board, &dead);
    let count = game.count_with(&dead);
    let is_marked = |marks: &[bool], cell: u16| marks.get(usize::from(cell)) == Some(&true);
    let is_dead = |cell: u16| is_marked(&dead, cell);
    let in_seki = |cell: u16| is_marked(&seki, cell);
    // Groups are named one on each line.
    let groups = |wanted: &dyn Fn(u16) -> bool| {
        let mut lines = Vec::new();
        for root in board.points().filter(|&p| board.stone(p).is_some()) {
            if board.root(root) == root && wanted(board.cell(root)) {
                let mut cells: Vec<u16> = board.group(root).map(|p| board.cell(p)).collect();
                cells.sort_unstable();
                lines.push(vertices(&cells, size));
            }
        }
        lines.join("\n")
    };
    let points = |owner: Option<Color>| {
        let cells: Vec<u16> = (0..board.area())
            .filter(|&cell| {
                let of_cell = count.owners.get(usize::from(cell)).copied().flatten();
                game.position().stone(cell).is_none() && of_cell == owner
            })
            .collect();
        vertices(&cells, size)
    };
    match status.as_str() {
        "dead" => Ok(groups(&is_dead)),
        "seki" => Ok(groups(&in_seki)),
        "alive" => Ok(groups(&|cell| !is_dead(cell) && !in_seki(cell))),
        "black_territory" => Ok(points(Some(Color::Black))),
        "white_territory" => Ok(points(Some(Color::White))),
        "dame" => Ok(points(None)),
        _ => Err(format!("invalid status {status:?}")),
    }
}

fn showboard(game: &Game) -> String {
    let size = game.options().size;
    let columns = notation::column_names(size).join(" ");
    let hoshi = rules::hoshi(size);
    let mut rows = vec![format!("\n   {columns}")];
    for row in 0..u16::from(size) {
        let number = u16::from(size) - row;
        let cells: Vec<&str> = (0..u16::from(size))
            .map(|column| {
                let cell = row * u16::from(size) + column;
                match game.position().stone(cell) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None if hoshi.contains(&cell) => "+",
                    None => ".",
                }
            })
            .collect();
        rows.push(format!("{number:2} {} {number}", cells.join(" ")));
    }
    rows.push(format!("   {columns}"));
    let captures = |color| game.position().captures(color);
    rows.push(format!(
        "black (X) has taken {}, white (O) {}; {} to play",
        captures(Color::Black),
        captures(Color::White),
        match game.to_move() {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "nobody",
        }
    ));
    rows.join("\n")
}

/// `loadsgf FILE [MOVE]`. The name may hold single spaces; a number at the end is the move.
fn loadsgf(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let words = arguments.rest.as_slice();
    let (name, before) = match words {
        [] => return Err("syntax error: loadsgf needs a file".to_owned()),
        [name @ .., number] if !name.is_empty() && number.parse::<u32>().is_ok() => {
            (name, number.parse::<u32>().ok().map(|number| number.max(1)))
        }
        name => (name, None),
    };
    let path = name.join(" ");
    let cannot = |why: String| format!("cannot load file: {path}: {why}");
    let bytes = read_file(&path).map_err(|error| cannot(error.to_string()))?;
    let line = record::load(&bytes, before).map_err(|error| cannot(error.message))?;
    session.load(&line).map_err(cannot)?;
    let to_move = session.game.to_move();
    Ok(match to_move.unwrap_or(session.game.position().to_move()) {
        Color::Black => "black".to_owned(),
        Color::White => "white".to_owned(),
    })
}

/// The content of an ordinary file.
fn read_file(path: &str) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for a writer, so what it is has to be asked first.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut bytes = Vec::new();
    let read = File::open(path)?
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)?;
    match read as u64 > MAX_FILE {
        true => Err(io::Error::other("larger than 64 MB")),
        false => Ok(bytes),
    }
}

/// Reports a search until the next line comes, or until the move is found if one is to be played.
fn analyze(
    session: &mut Session,
    dialect: Dialect,
    plays: bool,
    line: &Line,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<()> {
    let id = line.id.as_str();
    let to_move = session.game.to_move();
    let to_move = to_move.unwrap_or(session.game.position().to_move());
    let ready = Request::read(dialect, &line.arguments, to_move).and_then(|request| {
        let (time, strength) = if plays {
            let time = session.time_for(request.color);
            (time, session.strength_within(time))
        } else {
            (None, Strength::UNLIMITED)
        };
        let player = session.search(request.color, strength);
        let player = player.ok_or_else(|| "nothing to analyse".to_owned())?;
        Ok((request, time, player))
    });
    let (request, time, mut player) = match ready {
        Ok(ready) => ready,
        Err(message) => {
            refuse(sink, id, &message)?;
            return sink.flush();
        }
    };
    writeln!(sink, "={id}")?;
    sink.flush()?;
    if plays {
        let started = Instant::now();
        report_thinking(&mut player, &request, time, sink)?;
        let action = player.decide();
        session.clock(request.color).spend(started.elapsed());
        session.keep(request.color, player);
        // It came from a search of this very position, so it is legal; if not, nothing is played.
        if session.play(request.color, action).is_ok() {
            let name = action_name(action, session.game.options().size);
            writeln!(sink, "play {name}")?;
        }
    } else {
        report_until_line(&mut player, &request, input, sink)?;
        session.keep(request.color, player);
    }
    writeln!(sink)?;
    sink.flush()
}

/// Writes a report, unless there is nothing to report yet: an empty line would end the answer.
fn write_report(player: &Player, request: &Request, sink: &mut impl Write) -> io::Result<()> {
    let report = analysis::report(player.search(), request);
    if !report.is_empty() {
        writeln!(sink, "{report}")?;
        sink.flush()?;
    }
    Ok(())
}

/// Searches until the next line has come or the input has ended; reports after each interval.
fn report_until_line(
    player: &mut Player,
    request: &Request,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<()> {
    let never = AtomicBool::new(false);
    let mut reported = Instant::now();
    let mut is_done = false;
    while !input.is_waiting(Duration::ZERO) {
        let left = request.interval.saturating_sub(reported.elapsed());
        if is_done {
            // Nothing is left to find out, but the client goes on listening.
            input.is_waiting(left);
        } else {
            is_done = player.run(left.min(LOOK), &never);
        }
        if reported.elapsed() >= request.interval {
            reported = Instant::now();
            write_report(player, request, sink)?;
        }
    }
    Ok(())
}

/// Searches for a move to play; reports after each interval and at the end.
fn report_thinking(
    player: &mut Player,
    request: &Request,
    time: Option<Allotment>,
    sink: &mut impl Write,
) -> io::Result<()> {
    let mut reported = Instant::now();
    let mut written = Ok(());
    engine::think_for(player, time, |player| {
        if written.is_ok() && reported.elapsed() >= request.interval {
            reported = Instant::now();
            written = write_report(player, request, sink);
        }
    });
    written?;
    write_report(player, request, sink)
}
