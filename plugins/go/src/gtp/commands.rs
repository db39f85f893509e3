//! The commands: what each takes, does and answers.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::ai::player::{Player, Strength};
use crate::gtp::Input;
use crate::gtp::analysis::{self, Dialect, Request};
use crate::gtp::clock::{Clock, System};
use crate::gtp::engine::Session;
use crate::gtp::line::Line;
use crate::notation;
use crate::rules::{
    self, Action, Color, Game, MAX_HANDICAP, MAX_KOMI, MAX_SIZE, MIN_SIZE, Options, Phase, RuleSet,
    handicap_points, max_handicap,
};
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
    "gogui-analyze_commands",
];

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

    /// Seconds, not negative.
    fn seconds(&mut self, what: &str) -> Result<Duration, String> {
        let text = self.next(what)?;
        let number: f64 = text
            .parse()
            .map_err(|_| format!("syntax error: {text:?} is not {what}"))?;
        Duration::try_from_secs_f64(number)
            .map_err(|_| format!("syntax error: {text:?} is not {what}"))
    }
}

/// Answers a line; true for `quit`.
pub(super) fn answer(
    session: &mut Session,
    line: &Line,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<bool> {
    let id = line.id.map_or_else(String::new, |id| id.to_string());
    let analysis = match line.command.as_str() {
        "lz-analyze" => Some((Dialect::LeelaZero, false)),
        "kata-analyze" => Some((Dialect::KataGo, false)),
        "lz-genmove_analyze" => Some((Dialect::LeelaZero, true)),
        "kata-genmove_analyze" => Some((Dialect::KataGo, true)),
        _ => None,
    };
    if let Some((dialect, plays)) = analysis {
        analyze(session, dialect, plays, line, &id, input, sink)?;
        return Ok(false);
    }
    match run(session, line) {
        Ok(text) if text.is_empty() => write!(sink, "={id}\n\n")?,
        Ok(text) => write!(sink, "={id} {text}\n\n")?,
        Err(message) => write!(sink, "?{id} {message}\n\n")?,
    }
    sink.flush()?;
    Ok(line.command == "quit")
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
        "kgs-rules" | "kata-set-rules" => set_rules(session, arguments),
        "kata-get-rules" => Ok(session.rules.id().to_owned()),
        "final_score" => Ok(final_score(&session.game)),
        "final_status_list" => final_status_list(&session.game, arguments),
        "showboard" => Ok(showboard(&session.game)),
        "loadsgf" => loadsgf(session, arguments),
        "gogui-analyze_commands" => Ok(String::new()),
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
    session.begin(options).map_err(|error| error.to_string())?;
    Ok(String::new())
}

fn komi(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let komi: f64 = arguments.number("a number of points")?;
    let half = (2.0 * komi).round();
    if !half.is_finite() || half.abs() > f64::from(MAX_KOMI) {
        return Err(format!("komi must be between -{0} and {0}", MAX_KOMI / 2));
    }
    let options = Options {
        komi: half as i32,
        ..*session.game.options()
    };
    session.change(options)?;
    Ok(String::new())
}

/// A number of handicap stones that a fresh board of this size can take.
fn handicap_number(
    session: &Session,
    arguments: &mut Arguments<'_>,
    most: u8,
) -> Result<u8, String> {
    let number: i64 = arguments.number("a number of stones")?;
    if !session.is_fresh() {
        return Err("board not empty".to_owned());
    }
    u8::try_from(number)
        .ok()
        .filter(|number| (2..=most).contains(number))
        .ok_or_else(|| format!("invalid handicap: 2 to {most} stones"))
}

/// The names of points, parted by spaces.
fn vertices(cells: &[u16], size: u8) -> String {
    let names = cells.iter().map(|&cell| notation::point_name(cell, size));
    names.collect::<Vec<_>>().join(" ")
}

fn fixed_handicap(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size = session.game.options().size;
    let handicap = handicap_number(session, arguments, max_handicap(size))?;
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
    let asked = handicap_number(session, arguments, MAX_HANDICAP)?;
    // The fixed points are good ones; the protocol allows fewer stones than were asked for.
    let handicap = asked.min(max_handicap(size));
    if handicap < 2 {
        return Err("no handicap on a board of this size".to_owned());
    }
    let cells = handicap_points(size, handicap).map_err(|error| error.to_string())?;
    set_handicap(session, &cells)?;
    Ok(vertices(&cells, size))
}

fn set_free_handicap(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let size = session.game.options().size;
    let mut cells = Vec::new();
    for name in arguments.rest.by_ref() {
        let cell = parse_vertex(name, size)?.ok_or("a handicap stone cannot be a pass")?;
        if cells.contains(&cell) {
            return Err(format!("repeated vertex {name:?}"));
        }
        cells.push(cell);
    }
    if !session.is_fresh() {
        return Err("board not empty".to_owned());
    }
    if !(2..=usize::from(MAX_HANDICAP)).contains(&cells.len()) {
        return Err(format!("invalid handicap: 2 to {MAX_HANDICAP} stones"));
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
    let mut game = Game::new(options).map_err(|error| error.to_string())?;
    for &cell in cells {
        game.apply(Action::Place(cell))
            .map_err(|error| format!("illegal move: {error}"))?;
    }
    session.begin(options).map_err(|error| error.to_string())?;
    for &cell in cells {
        session
            .play(Color::Black, Action::Place(cell))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
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
    if text.eq_ignore_ascii_case("resign") {
        return resign(session, color);
    }
    let action =
        parse_vertex(text, session.game.options().size)?.map_or(Action::Pass, Action::Place);
    session
        .play(color, action)
        .map_err(|error| error.to_string())?;
    Ok(String::new())
}

fn resign(session: &mut Session, color: Color) -> Answer {
    session
        .play(color, Action::Resign)
        .map_err(|error| error.to_string())?;
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
    let action = session.think(color);
    session
        .play(color, action)
        .map_err(|error| error.to_string())?;
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
    let system = match (period.is_zero(), stones) {
        // A period without stones means no limit at all (section 4.2).
        (false, 0) => System::None,
        (true, _) => System::Absolute(main),
        (false, stones) => System::Canadian {
            main,
            period,
            stones,
        },
    };
    session.clocks = [Clock::new(system); 2];
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
    session.clocks = [Clock::new(system); 2];
    Ok(String::new())
}

fn time_left(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let color = arguments.color()?;
    let left = arguments.seconds("a time in seconds")?;
    let stones: u32 = arguments.number("a number of stones")?;
    session.clocks[color.index()].set(left, stones);
    Ok(String::new())
}

/// The rule set that a client names.
fn rule_set(name: &str) -> Option<RuleSet> {
    let name = name.to_ascii_lowercase().replace(['_', ' '], "-");
    match name.as_str() {
        "newzealand" | "nz" => Some(RuleSet::NewZealand),
        "korean" => Some(RuleSet::Japanese),
        "cn" => Some(RuleSet::Chinese),
        "jp" => Some(RuleSet::Japanese),
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
    session.rules = rules;
    Ok(String::new())
}

/// The dead stones as they were agreed on or, before that, as they look.
fn dead_stones(game: &Game) -> Vec<bool> {
    let is_marked = game.phase() == Phase::Counting || game.end() == Some(rules::End::Score);
    match (is_marked, game.options().agreement) {
        (_, false) => Vec::new(),
        (true, true) => game.dead().to_vec(),
        (false, true) => game.proposal(),
    }
}

fn final_score(game: &Game) -> String {
    if let Some(winner) = game
        .winner()
        .filter(|_| game.end() != Some(rules::End::Score))
    {
        return match winner {
            Color::Black => "B+R".to_owned(),
            Color::White => "W+R".to_owned(),
        };
    }
    let lead = game.score_of(&game.count_with(&dead_stones(game))).lead();
    let points = f64::from(lead.abs()) / 2.0;
    match lead {
        0 => "0".to_owned(),
        1.. => format!("B+{points:.1}"),
        _ => format!("W+{points:.1}"),
    }
}

fn final_status_list(game: &Game, arguments: &mut Arguments<'_>) -> Answer {
    let board = game.position().board();
    let size = board.size();
    let dead = dead_stones(game);
    let count = game.count_with(&dead);
    let is_dead = |cell: u16| dead.get(usize::from(cell)) == Some(&true);
    let owner = |cell: u16| count.owners.get(usize::from(cell)).copied().flatten();
    let groups = |wanted: &dyn Fn(u16) -> bool| {
        let mut lines = Vec::new();
        for root in board.points().filter(|&p| board.stone(p).is_some()) {
            if board.root(root) == root && wanted(board.cell(root)) {
                let cells: Vec<u16> = board.group(root).map(|p| board.cell(p)).collect();
                lines.push(vertices(&cells, size));
            }
        }
        lines.join("\n")
    };
    let points = |wanted: &dyn Fn(u16) -> bool| {
        let cells: Vec<u16> = (0..board.area()).filter(|&cell| wanted(cell)).collect();
        vertices(&cells, size)
    };
    let is_empty_or_dead = |cell: u16| game.position().stone(cell).is_none() || is_dead(cell);
    match arguments.next("a status")?.to_ascii_lowercase().as_str() {
        "dead" => Ok(groups(&is_dead)),
        "alive" => Ok(groups(&|cell| !is_dead(cell))),
        // A group that lives in seki is listed as alive; none is told apart.
        "seki" => Ok(String::new()),
        "black_territory" => Ok(points(&|cell| {
            is_empty_or_dead(cell) && owner(cell) == Some(Color::Black)
        })),
        "white_territory" => Ok(points(&|cell| {
            is_empty_or_dead(cell) && owner(cell) == Some(Color::White)
        })),
        "dame" => Ok(points(&|cell| {
            is_empty_or_dead(cell) && owner(cell).is_none()
        })),
        other => Err(format!("invalid status {other:?}")),
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

fn loadsgf(session: &mut Session, arguments: &mut Arguments<'_>) -> Answer {
    let path = arguments.next("a file")?;
    let before = match arguments.rest.next() {
        None => None,
        Some(text) => {
            let number: u32 = text
                .parse()
                .map_err(|_| format!("syntax error: {text:?} is not a move number"))?;
            Some(number.max(1))
        }
    };
    let cannot = |why: String| format!("cannot load file: {path}: {why}");
    let bytes = std::fs::read(path).map_err(|error| cannot(error.to_string()))?;
    let game = record::load(&bytes, before).map_err(|error| cannot(error.message))?;
    session.load(game);
    let to_move = session.game.to_move();
    Ok(match to_move.unwrap_or(session.game.position().to_move()) {
        Color::Black => "black".to_owned(),
        Color::White => "white".to_owned(),
    })
}

/// Reports a search until the next line comes, or until the move is found if one is to be played.
fn analyze(
    session: &mut Session,
    dialect: Dialect,
    plays: bool,
    line: &Line,
    id: &str,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<()> {
    let to_move = session.game.to_move();
    let to_move = to_move.unwrap_or(session.game.position().to_move());
    let request = Request::read(dialect, &line.arguments, to_move);
    let ready = request.and_then(|request| {
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
            write!(sink, "?{id} {message}\n\n")?;
            return sink.flush();
        }
    };
    writeln!(sink, "={id}")?;
    sink.flush()?;
    let started = Instant::now();
    search_and_report(&mut player, &request, time, plays, input, sink)?;
    if plays {
        let action = player.decide();
        let name = action_name(action, session.game.options().size);
        session.clocks[request.color.index()].spend(started.elapsed());
        // It came from a search of this very position, so it is legal.
        let played = session.play(request.color, action);
        writeln!(sink, "play {}", played.map_or("pass".to_owned(), |()| name))?;
    }
    session.keep(player);
    writeln!(sink)?;
    sink.flush()
}

/// Searches until the play-outs or the time are used up or, unless a move is to be played, the next
/// line has come; a report is written after each interval.
fn search_and_report(
    player: &mut Player,
    request: &Request,
    time: Option<Duration>,
    plays: bool,
    input: &mut Input,
    sink: &mut impl Write,
) -> io::Result<()> {
    let started = Instant::now();
    let never = AtomicBool::new(false);
    let mut next_report = request.interval;
    let mut is_done = false;
    loop {
        if !plays && input.is_waiting(Duration::ZERO) {
            break;
        }
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        if left == Some(Duration::ZERO) || (plays && is_done) {
            break;
        }
        if is_done {
            // Nothing is left to find out, but the client may go on listening.
            input.is_waiting(request.interval);
        } else {
            is_done = player.run(left.map_or(LOOK, |left| left.min(LOOK)), &never);
        }
        if started.elapsed() >= next_report {
            next_report = started.elapsed() + request.interval;
            writeln!(sink, "{}", analysis::report(player.search(), request))?;
            sink.flush()?;
        }
    }
    if plays {
        writeln!(sink, "{}", analysis::report(player.search(), request))?;
    }
    Ok(())
}
