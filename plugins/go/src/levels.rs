//! The strengths of the computer player, and the ladder of games to climb.

use crate::ai::player::Strength;
use crate::rules::{Color, Options, RuleSet};

/// One strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AiLevel {
    /// Name in Chinese and in English.
    pub name: [&'static str; 2],
    /// How it plays, in Chinese and in English.
    pub help: [&'static str; 2],
    /// What it plays with.
    pub strength: Strength,
}

const fn strength(playouts: u64, slip: f32, resigns: bool) -> Strength {
    Strength {
        playouts,
        slip,
        resigns,
        stops_early: true,
    }
}

/// The strengths, weakest first. Each wins about three games in four against the one below (measured:
/// `docs/PERFORMANCE.md`); the first six also make natural-looking moves that overlook what can be taken, ever
/// more rarely.
pub const AI_LEVELS: [AiLevel; 10] = [
    AiLevel {
        name: ["初学", "First steps"],
        help: ["常常不假思索", "Mostly plays what looks natural"],
        strength: strength(20, 0.85, false),
    },
    AiLevel {
        name: ["入门", "Beginner"],
        help: ["时常看漏", "Overlooks much"],
        strength: strength(40, 0.6, false),
    },
    AiLevel {
        name: ["学徒", "Learner"],
        help: ["有时看漏", "Overlooks some things"],
        strength: strength(60, 0.5, false),
    },
    AiLevel {
        name: ["街坊", "Neighbour"],
        help: ["偶尔随手", "A careless move now and then"],
        strength: strength(100, 0.35, false),
    },
    AiLevel {
        name: ["棋友", "Club player"],
        help: ["算得不深", "Reads a little"],
        strength: strength(180, 0.2, false),
    },
    AiLevel {
        name: ["熟手", "Practised"],
        help: ["局部稳健", "Sound in small fights"],
        strength: strength(320, 0.08, true),
    },
    AiLevel {
        name: ["好手", "Strong"],
        help: ["攻守均衡", "Balances attack and defence"],
        strength: strength(500, 0.0, true),
    },
    AiLevel {
        name: ["高手", "Expert"],
        help: ["善于攻杀", "Fights well"],
        strength: strength(1_200, 0.0, true),
    },
    AiLevel {
        name: ["强手", "Master"],
        help: ["思考较久", "Takes its time"],
        strength: strength(3_200, 0.0, true),
    },
    AiLevel {
        name: ["全力", "Full strength"],
        help: ["思考很久", "Takes a long time"],
        strength: strength(9_000, 0.0, true),
    },
];

/// The strongest of them.
pub const STRONGEST: Strength = AI_LEVELS[AI_LEVELS.len() - 1].strength;

/// A game of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderLevel {
    /// Options of the game.
    pub options: Options,
    /// The player's side.
    pub player: Color,
    /// Index of the opponent in [`AI_LEVELS`].
    pub opponent: usize,
}

/// Games on each of the three boards.
const STEPS: u32 = 10;

/// Games of the ladder: ten on 9×9, ten on 13×13, ten on 19×19.
pub const LADDER: u32 = 3 * STEPS;

/// Game `index` of the ladder.
///
/// On each board the opponent is one strength above at every game. The first games are with
/// handicap, the player taking black: two of them on 9×9 (3 and 2 stones), three on 13×13 (4 to 2)
/// and five on 19×19 (9, 7, 5, 3 and 2). Then comes one as black without handicap; all of these
/// have a komi of half a point, which rules out a draw. The rest are even games with 7.5 points,
/// the player taking white in every other one.
pub fn ladder(index: u32) -> Option<LadderLevel> {
    if index >= LADDER {
        return None;
    }
    let (board, step) = (index / STEPS, index % STEPS);
    let (size, handicap) = match (board, step) {
        (0, 0) => (9, 3),
        (0, 1) => (9, 2),
        (0, _) => (9, 0),
        (1, 0) => (13, 4),
        (1, 1) => (13, 3),
        (1, 2) => (13, 2),
        (1, _) => (13, 0),
        (_, 0) => (19, 9),
        (_, 1) => (19, 7),
        (_, 2) => (19, 5),
        (_, 3) => (19, 3),
        (_, 4) => (19, 2),
        (_, _) => (19, 0),
    };
    let first_even = match board {
        0 => 2,
        1 => 3,
        _ => 5,
    };
    let komi = if step <= first_even { 1 } else { 15 };
    let player = if step > first_even && step % 2 == 1 {
        Color::White
    } else {
        Color::Black
    };
    Some(LadderLevel {
        options: Options {
            size,
            komi,
            handicap,
            ..RuleSet::Chinese.options(size)
        },
        player,
        opponent: step as usize,
    })
}

/// Stars for a won game: one for winning, two for winning by a tenth of the board, three by a
/// quarter of it. A game that the opponent gives up or loses on time counts as won by a quarter.
///
/// `lead` is the winner's, in half points; `None` if the game ended without counting.
pub fn stars(size: u8, lead: Option<i32>) -> u8 {
    let area = i32::from(size) * i32::from(size);
    match lead {
        None => 3,
        Some(lead) if lead * 4 >= 2 * area => 3,
        Some(lead) if lead * 10 >= 2 * area => 2,
        Some(_) => 1,
    }
}

/// Points for a won game: 100, and the margin in points up to a quarter of the board, which is
/// also what a game counts that ended without counting.
pub fn points(size: u8, lead: Option<i32>) -> i32 {
    let most = i32::from(size) * i32::from(size) / 4;
    100 + lead.map_or(most, |lead| (lead / 2).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;

    #[test]
    fn strengths_grow() {
        for pair in AI_LEVELS.windows(2) {
            assert!(pair[0].strength.playouts < pair[1].strength.playouts);
            assert!(pair[0].strength.slip >= pair[1].strength.slip);
        }
    }

    #[test]
    fn every_game_of_the_ladder_can_be_played() {
        let mut games = Vec::new();
        for index in 0..LADDER {
            let level = ladder(index).expect("within the ladder");
            assert!(Game::new(level.options).is_ok(), "{index}");
            assert!(level.opponent < AI_LEVELS.len(), "{index}");
            assert!(level.options.handicap == 0 || level.player == Color::Black);
            games.push((level.options.size, level.opponent));
        }
        assert!(games.is_sorted());
        assert_eq!(ladder(LADDER), None);
    }

    #[test]
    fn stars_by_margin() {
        assert_eq!(stars(9, Some(1)), 1);
        assert_eq!(stars(9, Some(15)), 1);
        assert_eq!(stars(9, Some(17)), 2);
        assert_eq!(stars(9, Some(40)), 2);
        assert_eq!(stars(9, Some(41)), 3);
        assert_eq!(stars(19, None), 3);
    }
}
