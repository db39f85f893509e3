//! What a search remembers of positions, shared by its threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Plies searched below it.
    pub depth: i32,
    /// The score for the side to move.
    pub score: i32,
    /// What the score says.
    pub bound: Bound,
    /// The best move found; `u16::MAX` for none.
    pub best: u16,
}

impl Entry {
    fn pack(self) -> u64 {
        let depth = self.depth.clamp(0, 255) as u64;
        let score = self.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16 as u16;
        let bound = match self.bound {
            Bound::Upper => 1_u64,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        depth | bound << 8 | u64::from(score) << 16 | u64::from(self.best) << 32
    }

    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 8 & 0xFF {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            depth: (data & 0xFF) as i32,
            score: i32::from((data >> 16) as u16 as i16),
            bound,
            best: (data >> 32) as u16,
        })
    }
}

/// A table of positions. Two threads that write the same slot at once can only make it useless, never
/// wrong: what is stored as the key is combined with the data (R. M. Hyatt and T. Mann, "A lockless
/// transposition table implementation for parallel search", ICGA Journal, 2002).
pub struct Table {
    slots: Vec<[AtomicU64; 2]>,
}

impl Table {
    /// An empty table of 2^`bits` entries of 16 bytes.
    pub fn new(bits: u32) -> Table {
        let slot = || [AtomicU64::new(0), AtomicU64::new(0)];
        Table {
            slots: (0..1_usize << bits.min(24)).map(|_| slot()).collect(),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.slots.iter().flatten() {
            slot.store(0, Relaxed);
        }
    }

    /// Slots of a key, the first kept for the deeper entry, the second for the newer.
    fn pair(&self, key: u64) -> [&[AtomicU64; 2]; 2] {
        // The length is a power of two.
        let index = key as usize & (self.slots.len() - 1) & !1;
        [
            &self.slots[index],
            &self.slots[(index + 1) & (self.slots.len() - 1)],
        ]
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.pair(key).into_iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key)
                .then(|| Entry::unpack(data))
                .flatten()
        })
    }

    /// Remembers a position.
    pub fn put(&self, key: u64, entry: Entry) {
        let [deep, newer] = self.pair(key);
        let old = deep[1].load(Relaxed);
        let is_same = deep[0].load(Relaxed) ^ old == key;
        let is_deeper = Entry::unpack(old).is_none_or(|old| entry.depth >= old.depth);
        let [check, data] = if is_same || is_deeper { deep } else { newer };
        let packed = entry.pack();
        check.store(key ^ packed, Relaxed);
        data.store(packed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(4);
        assert_eq!(table.get(77), None);
        let entry = |depth, score| Entry {
            depth,
            score,
            bound: Bound::Lower,
            best: 112,
        };
        table.put(77, entry(3, -29_999));
        assert_eq!(table.get(77), Some(entry(3, -29_999)));
        // Another position of the same slots, not so deep: both stay.
        table.put(77 + 16, entry(1, 12));
        assert_eq!(table.get(77), Some(entry(3, -29_999)));
        assert_eq!(table.get(77 + 16), Some(entry(1, 12)));
        table.clear();
        assert_eq!(table.get(77), None);
    }
}
