//! Clocks, and how long to think by them.

use std::time::Duration;

/// Kept back of every allotment, at the least, for what is between the search's end and the other
/// side's clock.
const LAG: Duration = Duration::from_millis(60);

/// Kept back of every allotment at the most.
const MAX_LAG: Duration = Duration::from_secs(1);

/// The longest time that is told apart from an endless one: more than 30 years.
pub const MAX_TIME: Duration = Duration::from_secs(1_000_000_000);

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

/// Time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// What to use.
    pub time: Duration,
    /// What may be used if the move is hard to decide on; at least `time`.
    pub most: Duration,
}

impl Allotment {
    /// So much and no more.
    pub fn exactly(time: Duration) -> Allotment {
        Allotment { time, most: time }
    }
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

    /// What a referee says is left: time, and stones (byo-yomi: periods) or 0 in main time. Where no
    /// time system was named, what is left is all there is.
    pub fn set(&mut self, left: Duration, stones: u32) {
        if self.system == System::None {
            self.system = match stones {
                0 => System::Absolute(left),
                _ => System::Canadian {
                    main: Duration::ZERO,
                    period: left,
                    stones,
                },
            };
        }
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
    pub fn allot(&self, area: u32, played: u32) -> Option<Allotment> {
        // About as many moves of one's own are still to come: most games last for two thirds to one
        // times the number of points.
        let expected = (area * 9 / 10).saturating_sub(played) / 2;
        let moves = expected.max(area / 10).max(4);
        let is_main_time = self.stones == 0;
        let share = match self.system {
            System::None => return None,
            System::Absolute(_) => self.left / moves,
            System::Canadian { period, stones, .. } if is_main_time => {
                self.left / moves + period / stones.max(1)
            }
            System::Canadian { .. } => self.left / self.stones,
            System::Byoyomi { period, .. } if is_main_time => self.left / moves + period,
            System::Byoyomi { period, .. } => self.left.min(period),
        };
        let lag = (share / 20).clamp(LAG, MAX_LAG);
        let time = share.saturating_sub(lag);
        // Only main time is there to be borrowed from; a period that is overrun may lose the game.
        let most = if is_main_time {
            time.max((time * 3 / 2).min(self.left.saturating_sub(lag)))
        } else {
            time
        };
        Some(Allotment { time, most })
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

    fn time(clock: &Clock, area: u32) -> Duration {
        clock.allot(area, 0).expect("a limit").time
    }

    #[test]
    fn absolute_time_lasts_for_the_whole_game() {
        for area in [4, 25, 81, 361, 625] {
            let mut clock = Clock::new(System::Absolute(s(300)));
            for played in (0..2 * area).step_by(2) {
                let allotment = clock.allot(area, played).expect("a limit");
                assert!(allotment.time <= allotment.most, "{area} {played}");
                assert!(allotment.most < clock.left, "{area} {played}");
                clock.spend(allotment.most);
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
        assert_eq!(time(&clock, 81), s(6) - s(6) / 20);
        for _ in 0..5 {
            clock.spend(s(5));
        }
        assert_eq!((clock.left, clock.stones), (s(30), 5));
        clock.set(s(7), 2);
        assert_eq!(time(&clock, 81), s(7) / 2 - s(7) / 40);
    }

    #[test]
    fn a_byo_yomi_period_is_used_whole_and_lost_only_when_overrun() {
        let system = System::Byoyomi {
            main: Duration::ZERO,
            period: s(10),
            periods: 3,
        };
        let mut clock = Clock::new(system);
        assert_eq!(time(&clock, 361), s(10) - s(10) / 20);
        clock.spend(s(9));
        assert_eq!((clock.left, clock.stones), (s(10), 3));
        clock.spend(s(12));
        assert_eq!((clock.left, clock.stones), (s(10), 2));
        clock.spend(s(100));
        assert_eq!(clock.stones, 1, "the referee says when it is over");
    }

    #[test]
    fn no_period_is_overrun_however_hard_the_move_is() {
        let (main, period) = (s(20), s(10));
        for system in [
            System::Byoyomi {
                main,
                period,
                periods: 1,
            },
            System::Canadian {
                main,
                period,
                stones: 1,
            },
            System::Canadian {
                main,
                period,
                stones: 25,
            },
        ] {
            let mut clock = Clock::new(system);
            for played in 0..200 {
                let allotment = clock.allot(81, played).expect("a limit");
                let in_period = if clock.stones == 0 {
                    period
                } else {
                    Duration::ZERO
                };
                assert!(
                    allotment.most < clock.left + in_period,
                    "{system:?} {clock:?} {allotment:?}"
                );
                clock.spend(allotment.most);
            }
        }
    }

    #[test]
    fn a_referee_that_names_no_system_is_believed() {
        let mut clock = Clock::new(System::None);
        clock.set(s(100), 0);
        assert!(time(&clock, 81) < s(100) / 4);
        let mut clock = Clock::new(System::None);
        clock.set(s(30), 3);
        assert_eq!(time(&clock, 81), s(10) - s(10) / 20);
    }

    #[test]
    fn the_longest_times_can_be_reckoned_with() {
        for main in [Duration::ZERO, MAX_TIME] {
            for stones in [1, u32::MAX] {
                for system in [
                    System::Absolute(main),
                    System::Canadian {
                        main,
                        period: MAX_TIME,
                        stones,
                    },
                    System::Byoyomi {
                        main,
                        period: MAX_TIME,
                        periods: stones,
                    },
                ] {
                    let mut clock = Clock::new(system);
                    for spent in [Duration::ZERO, MAX_TIME, MAX_TIME] {
                        assert!(clock.allot(625, u32::MAX).is_some());
                        clock.spend(spent);
                    }
                }
            }
        }
    }
}
