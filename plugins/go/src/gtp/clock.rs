//! Clocks, and how long to think by them.

use std::time::Duration;

/// Kept back of every allotment for what is between the search's end and the other side's clock.
const LAG: Duration = Duration::from_millis(60);

/// A time system (Go Text Protocol, section 4.2; `kgs-time_settings` for the third).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum System {
    /// No limit.
    #[default]
    None,
    /// So much for the whole game.
    Absolute(Duration),
    /// A main time, then periods in each of which so many stones are to be played.
    Canadian {
        /// Main time.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Stones in a period, at least 1.
        stones: u32,
    },
    /// A main time, then so many periods; a move that fits into one leaves it whole.
    Byoyomi {
        /// Main time.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Periods, at least 1.
        periods: u32,
    },
}

/// One side's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    system: System,
    /// Left of the main time, or of the present period.
    left: Duration,
    /// Canadian: stones still to be played in the period. Byo-yomi: periods left. 0 in main time.
    stones: u32,
}

impl Clock {
    /// A clock that has not run yet.
    pub fn new(system: System) -> Clock {
        let left = match system {
            System::None => Duration::ZERO,
            System::Absolute(main)
            | System::Canadian { main, .. }
            | System::Byoyomi { main, .. } => main,
        };
        let mut clock = Clock {
            system,
            left,
            stones: 0,
        };
        clock.enter_period();
        clock
    }

    /// What a referee says is left: time, and stones (byo-yomi: periods) or 0 in main time.
    pub fn set(&mut self, left: Duration, stones: u32) {
        self.left = left;
        self.stones = stones;
    }

    /// From main time that is used up into the first period.
    fn enter_period(&mut self) {
        if self.stones > 0 || !self.left.is_zero() {
            return;
        }
        match self.system {
            System::None | System::Absolute(_) => {}
            System::Canadian { period, stones, .. } => (self.left, self.stones) = (period, stones),
            System::Byoyomi {
                period, periods, ..
            } => (self.left, self.stones) = (period, periods),
        }
    }

    /// Takes the time of a move off, for referees that do not say what is left.
    pub fn spend(&mut self, spent: Duration) {
        let in_period = self.stones > 0;
        let beyond = spent.saturating_sub(self.left);
        self.left = self.left.saturating_sub(spent);
        match self.system {
            System::None | System::Absolute(_) => {}
            System::Canadian { period, stones, .. } => {
                if in_period {
                    self.stones -= 1;
                    if self.stones == 0 {
                        (self.left, self.stones) = (period, stones);
                    }
                }
                self.enter_period();
            }
            System::Byoyomi { period, .. } => {
                if in_period {
                    let used = beyond.as_millis() / period.as_millis().max(1);
                    let lost =
                        u32::from(!beyond.is_zero()) + u32::try_from(used).unwrap_or(u32::MAX);
                    self.stones = self.stones.saturating_sub(lost).max(1);
                    self.left = period;
                }
                self.enter_period();
            }
        }
    }

    /// How long to think about a move, on a board of `area` points after `played` moves of both
    /// sides; `None` without a limit.
    pub fn allot(&self, area: u32, played: u32) -> Option<Duration> {
        // About as many moves of one's own are still to come: most games last for two thirds to one
        // times the number of points.
        let expected = (area * 9 / 10).saturating_sub(played) / 2;
        let moves = expected.max(area / 10).max(4);
        let share = match self.system {
            System::None => return None,
            System::Absolute(_) => self.left / moves,
            System::Canadian { period, stones, .. } => {
                if self.stones > 0 {
                    self.left / self.stones
                } else {
                    self.left / moves + period / stones.max(1)
                }
            }
            System::Byoyomi { period, .. } => {
                if self.stones > 0 {
                    self.left.min(period)
                } else {
                    self.left / moves + period
                }
            }
        };
        let share = share.saturating_sub(LAG);
        Some(share.max(Duration::from_millis(5)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn without_a_limit_nothing_is_allotted() {
        assert_eq!(Clock::new(System::None).allot(81, 0), None);
    }

    #[test]
    fn absolute_time_lasts_for_the_whole_game() {
        for area in [25, 81, 361, 625] {
            let mut clock = Clock::new(System::Absolute(s(300)));
            for played in (0..2 * area).step_by(2) {
                let time = clock.allot(area, played).expect("a limit");
                assert!(time < clock.left || clock.left < s(1), "{area} {played}");
                clock.spend(time);
            }
            assert!(!clock.left.is_zero(), "{area}");
        }
    }

    #[test]
    fn canadian_periods_begin_anew() {
        let system = System::Canadian {
            main: s(10),
            period: s(30),
            stones: 5,
        };
        let mut clock = Clock::new(system);
        clock.spend(s(11));
        assert_eq!((clock.left, clock.stones), (s(30), 5));
        assert_eq!(clock.allot(81, 0), Some(s(6) - LAG));
        for _ in 0..5 {
            clock.spend(s(5));
        }
        assert_eq!((clock.left, clock.stones), (s(30), 5));
        clock.set(s(7), 2);
        assert_eq!(clock.allot(81, 0), Some(s(7) / 2 - LAG));
    }

    #[test]
    fn a_byo_yomi_period_is_used_whole_and_lost_only_when_overrun() {
        let system = System::Byoyomi {
            main: Duration::ZERO,
            period: s(10),
            periods: 3,
        };
        let mut clock = Clock::new(system);
        assert_eq!(clock.allot(361, 0), Some(s(10) - LAG));
        clock.spend(s(9));
        assert_eq!((clock.left, clock.stones), (s(10), 3));
        clock.spend(s(12));
        assert_eq!((clock.left, clock.stones), (s(10), 2));
        clock.spend(s(100));
        assert_eq!(clock.stones, 1, "the referee says when it is over");
    }
}
