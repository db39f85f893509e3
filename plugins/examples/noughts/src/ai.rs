//! The opponent: negamax to the end of the game, one move of the root at a time.
//!
//! A full search of the empty board takes a few milliseconds, so nothing is cut
//! short unless the caller asks for it. The lower levels know the best move and,
//! by the seed's decision, now and then play another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use qiju_sdk::{Ai, AiParams, Candidate, Move, Outcome, Progress, Report, place};

use crate::rules::{CELLS, Noughts};

/// Chance in 100 that a level plays anywhere; indexed by the levels of `describe`.
const STUMBLE_PERCENT: [u64; 3] = [50, 20, 0];
/// Nodes between two looks at the clock and at the cancel flag: well under 1 ms.
const NODES_PER_LOOK: u64 = 256;

/// What a position is worth to a player: positive if it wins, negative if it loses,
/// 0 for a draw. A win is worth more the sooner it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth(i32);

impl Worth {
    /// More than any position is worth.
    const MAX: Self = Self(CELLS as i32 + 2);

    fn of_end(state: &Noughts, player: u16) -> Self {
        let left = state.empty().count() as i32 + 1;
        match state.result() {
            Outcome::Win { winner, .. } if winner == player => Self(left),
            Outcome::Win { .. } => Self(-left),
            _ => Self(0),
        }
    }

    /// The same seen from the other side.
    fn flipped(self) -> Self {
        Self(-self.0)
    }

    /// The chance to win: the game is searched to its end, so it is 0, a half or 1.
    pub fn win_permille(self) -> i32 {
        (self.0.signum() + 1) * 500
    }
}

/// The limits within which positions are searched.
struct Search<'a> {
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl Search<'_> {
    fn is_out(&self) -> bool {
        self.nodes >= self.node_limit
            || self.nodes.is_multiple_of(NODES_PER_LOOK)
                && (self.cancel.load(Ordering::Relaxed)
                    || self
                        .deadline
                        .is_some_and(|deadline| Instant::now() >= deadline))
    }

    /// What a state is worth to the player to move, if that is within (alpha, beta);
    /// else a bound of it. `None` once a limit is reached.
    fn worth(&mut self, state: &Noughts, mut alpha: Worth, beta: Worth) -> Option<Worth> {
        if self.is_out() {
            return None;
        }
        self.nodes += 1;
        if state.is_over() {
            return Some(Worth::of_end(state, state.turn()));
        }
        for cell in state.empty() {
            let mut next = *state;
            next.mark(cell);
            let worth = self
                .worth(&next, beta.flipped(), alpha.flipped())?
                .flipped();
            if worth >= beta {
                return Some(worth);
            }
            alpha = alpha.max(worth);
        }
        Some(alpha)
    }

    /// What playing on `cell` is worth to the player to move.
    fn worth_of_move(&mut self, state: &Noughts, cell: usize) -> Option<Worth> {
        let mut next = *state;
        next.mark(cell);
        let worth = self.worth(&next, Worth::MAX.flipped(), Worth::MAX)?;
        Some(worth.flipped())
    }
}

/// What each legal move is worth to the player to move.
pub fn worth_of_moves(state: &Noughts) -> Vec<(usize, Worth)> {
    if state.is_over() {
        return Vec::new();
    }
    let never = AtomicBool::new(false);
    let mut search = Search {
        nodes: 0,
        node_limit: u64::MAX,
        deadline: None,
        cancel: &never,
    };
    state
        .empty()
        .filter_map(|cell| Some((cell, search.worth_of_move(state, cell)?)))
        .collect()
}

/// A generator of random numbers (splitmix64, by Guy Steele, Doug Lea and Christine
/// Flood, 2014): small, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

/// A move that has been searched.
struct Searched {
    cell: usize,
    worth: Worth,
    nodes: u64,
}

/// A search for the best move.
pub struct Negamax {
    state: Noughts,
    node_limit: u64,
    time: Option<Duration>,
    candidates: usize,
    /// Runs from the first step on: a job that waits for a free thread loses no time.
    started: Option<Instant>,
    /// Moves still to be searched, in a random order (so that equals alternate), last first.
    open: Vec<usize>,
    /// Moves searched, best first.
    searched: Vec<Searched>,
    nodes: u64,
    /// The move of a level that stumbles this time.
    stumble: Option<usize>,
    /// The move to play if nothing has been searched.
    fallback: usize,
    /// A limit was reached or the job cancelled: it is done.
    stopped: bool,
}

impl Negamax {
    /// The move it would play now.
    fn best(&self) -> usize {
        let searched = self.searched.first().map(|best| best.cell);
        self.stumble.or(searched).unwrap_or(self.fallback)
    }

    /// Searches one more move of the root; false once a limit is reached.
    fn search_one(&mut self, cell: usize, cancel: &AtomicBool) -> bool {
        let started = *self.started.get_or_insert_with(Instant::now);
        let mut search = Search {
            nodes: self.nodes,
            node_limit: self.node_limit,
            deadline: self.time.and_then(|time| started.checked_add(time)),
            cancel,
        };
        let worth = search.worth_of_move(&self.state, cell);
        let nodes = search.nodes - self.nodes;
        self.nodes = search.nodes;
        let Some(worth) = worth else { return false };
        let place = self.searched.partition_point(|other| other.worth >= worth);
        self.searched.insert(place, Searched { cell, worth, nodes });
        true
    }

    fn fill(&self, report: &mut Report) {
        let best = self.best();
        report.best = Some(place_on(best));
        report.line = vec![place_on(best)];
        report.nodes = self.nodes;
        report.depth = self.state.empty().count() as u32;
        let found = self.searched.iter().find(|one| one.cell == best);
        report.win_permille = found.map_or(500, |one| one.worth.win_permille());
        report.candidates = self
            .searched
            .iter()
            .take(self.candidates)
            .map(candidate)
            .collect();
        report.heat = vec![0; CELLS];
        for one in &self.searched {
            let for_mover = one.worth.win_permille() * 2 - 1000;
            report.heat[one.cell] = if self.state.turn() == 0 {
                for_mover
            } else {
                -for_mover
            };
        }
    }
}

fn place_on(cell: usize) -> Move {
    place(cell as u16)
}

fn candidate(searched: &Searched) -> Candidate {
    Candidate {
        mv: place_on(searched.cell),
        win_permille: searched.worth.win_permille(),
        visits: u32::try_from(searched.nodes).unwrap_or(u32::MAX),
    }
}

impl Ai<Noughts> for Negamax {
    fn start(state: &Noughts, params: &AiParams) -> Result<Self, String> {
        if state.is_over() {
            return Err("the game is over".to_owned());
        }
        if params.player != state.turn() {
            return Err(format!("player {} is not to move", params.player));
        }
        let percent = usize::try_from(params.level)
            .ok()
            .and_then(|level| STUMBLE_PERCENT.get(level))
            .ok_or_else(|| format!("there is no level {}", params.level))?;

        let mut random = Random(params.seed);
        let mut open: Vec<usize> = state.empty().collect();
        for i in (1..open.len()).rev() {
            open.swap(i, random.below(i as u64 + 1) as usize);
        }
        let stumbles = random.below(100) < *percent && !params.hint;
        let fallback = *open.first().ok_or("the board is full")?;
        Ok(Self {
            state: *state,
            node_limit: params.node_limit.unwrap_or(u64::MAX),
            time: params.time,
            candidates: params.candidates,
            started: None,
            stumble: stumbles.then_some(fallback),
            fallback,
            stopped: false,
            open,
            searched: Vec::new(),
            nodes: 0,
        })
    }

    // An analysis without end ("infinite") ends here too when everything is known.
    fn step(&mut self, budget: Duration, cancel: &AtomicBool, report: &mut Report) -> Progress {
        let began = Instant::now();
        while !self.stopped
            && let Some(cell) = self.open.pop()
        {
            self.stopped = cancel.load(Ordering::Relaxed) || !self.search_one(cell, cancel);
            if !self.stopped && !self.open.is_empty() && began.elapsed() >= budget {
                self.fill(report);
                return Progress::More;
            }
        }
        self.fill(report);
        Progress::Done
    }
}

#[cfg(test)]
mod tests {
    use qiju_sdk::Game;

    use super::*;
    use crate::rules::Rule;

    const BEGINNER: u32 = 0;
    const PERFECT: u32 = 2;

    fn params(state: &Noughts, level: u32, seed: u64) -> AiParams {
        AiParams {
            level,
            threads: 1,
            seed,
            node_limit: None,
            time: None,
            player: state.turn(),
            candidates: CELLS,
            hint: false,
            infinite: false,
        }
    }

    fn run(state: &Noughts, params: &AiParams) -> Report {
        let mut job = Negamax::start(state, params).expect("the game runs");
        let never = AtomicBool::new(false);
        let mut report = Report::default();
        while job.step(Duration::from_secs(1), &never, &mut report) == Progress::More {
            report = Report::default();
        }
        report
    }

    fn answer(state: &Noughts, level: u32, seed: u64) -> usize {
        usize::from(
            run(state, &params(state, level, seed))
                .best
                .expect("a move")
                .to,
        )
    }

    /// Plays every reply against the perfect level, which never loses.
    fn defend(state: &Noughts, ai: u16, seed: u64, games: &mut u32) {
        if let Outcome::Win { winner, .. } = state.result() {
            assert_eq!(winner, ai, "seed {seed}: lost {state:?}");
        }
        if state.is_over() {
            *games += 1;
        } else if state.turn() == ai {
            let mut next = *state;
            next.mark(answer(state, PERFECT, seed));
            defend(&next, ai, seed, games);
        } else {
            for cell in state.empty() {
                let mut next = *state;
                next.mark(cell);
                defend(&next, ai, seed, games);
            }
        }
    }

    #[test]
    fn the_top_level_never_loses_whatever_is_played() {
        for rule in [Rule::Normal, Rule::Misere] {
            for (ai, seed) in [(0, 1), (0, 2), (1, 3), (1, 4)] {
                let mut games = 0;
                defend(&Noughts::new(rule), ai, seed, &mut games);
                assert!(games > 20, "{games} games");
            }
        }
    }

    #[test]
    fn both_rules_are_a_draw_without_a_mistake() {
        for rule in [Rule::Normal, Rule::Misere] {
            let best = worth_of_moves(&Noughts::new(rule))
                .into_iter()
                .map(|(_, worth)| worth);
            assert_eq!(best.max(), Some(Worth(0)));
        }
    }

    /// Crosses on A3 and B3, noughts on A2 and B2: crosses win on C3 and nowhere else as fast.
    fn win_in_one() -> Noughts {
        let mut state = Noughts::new(Rule::Normal);
        [0, 3, 1, 4].iter().for_each(|&cell| state.mark(cell));
        state
    }

    #[test]
    fn the_top_level_takes_the_quickest_win_and_the_lowest_sometimes_misses_it() {
        let state = win_in_one();
        let found = |level| {
            (0..50)
                .filter(|&seed| answer(&state, level, seed) == 2)
                .count()
        };
        assert_eq!(found(PERFECT), 50);
        let beginner = found(BEGINNER);
        assert!((15..45).contains(&beginner), "{beginner} of 50");
    }

    #[test]
    fn a_hint_is_the_best_move_whatever_the_level() {
        let state = win_in_one();
        for seed in 0..50 {
            let hint = AiParams {
                hint: true,
                ..params(&state, BEGINNER, seed)
            };
            assert_eq!(run(&state, &hint).best, Some(place(2)), "seed {seed}");
        }
    }

    #[test]
    fn equal_seeds_and_node_limits_give_equal_reports() {
        let state = Noughts::new(Rule::Normal);
        for node_limit in [1, 100, 5_000, 1_000_000] {
            let limited = AiParams {
                node_limit: Some(node_limit),
                ..params(&state, PERFECT, 7)
            };
            let report = run(&state, &limited);
            assert_eq!(report, run(&state, &limited));
            assert!(report.nodes <= node_limit);
            assert!(report.best.is_some_and(|mv| state.refusal(mv).is_none()));
        }
    }

    #[test]
    fn the_steps_do_not_change_the_answer() {
        let state = Noughts::new(Rule::Misere);
        let asked = params(&state, PERFECT, 11);
        let mut job = Negamax::start(&state, &asked).expect("the game runs");
        let never = AtomicBool::new(false);
        let mut steps = 1;
        let mut report = Report::default();
        while job.step(Duration::ZERO, &never, &mut report) == Progress::More {
            steps += 1;
            report = Report::default();
        }
        assert_eq!(steps, CELLS);
        assert_eq!(report, run(&state, &asked));
    }

    #[test]
    fn a_cancelled_job_is_done_at_once_and_stays_so() {
        let state = Noughts::new(Rule::Normal);
        let mut job = Negamax::start(&state, &params(&state, PERFECT, 1)).expect("the game runs");
        let cancel = AtomicBool::new(true);
        for _ in 0..2 {
            let mut report = Report::default();
            let progress = job.step(Duration::from_secs(1), &cancel, &mut report);
            assert_eq!((progress, report.nodes), (Progress::Done, 0));
            assert!(report.best.is_some());
        }
    }

    #[test]
    fn a_search_that_cannot_be_is_refused() {
        let state = Noughts::new(Rule::Normal);
        let bad_level = AiParams {
            level: 3,
            ..params(&state, 0, 1)
        };
        let bad_player = AiParams {
            player: 1,
            ..params(&state, 0, 1)
        };
        assert!(Negamax::start(&state, &bad_level).is_err());
        assert!(Negamax::start(&state, &bad_player).is_err());
        let mut over = win_in_one();
        over.mark(2);
        assert!(Negamax::start(&over, &params(&over, 0, 1)).is_err());
    }

    #[test]
    fn the_overlay_of_worth_agrees_with_the_search() {
        let state = win_in_one();
        let mut values = vec![-1; CELLS];
        assert!(state.overlay(0, qiju_sdk::Viewer::Public, &mut values));
        for candidate in run(&state, &params(&state, PERFECT, 1)).candidates {
            assert_eq!(values[usize::from(candidate.mv.to)], candidate.win_permille);
        }
        assert_eq!(
            (values[2], values[0]),
            (1000, -1),
            "a win, and a taken square left alone"
        );
    }
}
