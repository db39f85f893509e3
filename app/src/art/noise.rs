//! Repeatable noise: the same place gives the same value, on every machine.

/// A value in −1…1 for a point of a grid.
fn lattice(x: i32, y: i32, seed: u32) -> f32 {
    let mut hash = (x as u32)
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add((y as u32).wrapping_mul(0x85eb_ca77))
        .wrapping_add(seed.wrapping_mul(0xc2b2_ae3d));
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x2c1b_3c6d);
    hash ^= hash >> 12;
    hash = hash.wrapping_mul(0x297a_2d39);
    hash ^= hash >> 15;
    (hash >> 8) as f32 / 8_388_608.0 - 1.0
}

/// Smooth noise in −1…1; it varies over distances of about 1.
pub(super) fn value(x: f32, y: f32, seed: u32) -> f32 {
    let (column, row) = (x.floor(), y.floor());
    let ease = |part: f32| part * part * (3.0 - 2.0 * part);
    let (across, down) = (ease(x - column), ease(y - row));
    let (column, row) = (column as i32, row as i32);
    let upper = lattice(column, row, seed) * (1.0 - across)
        + lattice(column.wrapping_add(1), row, seed) * across;
    let row = row.wrapping_add(1);
    let lower = lattice(column, row, seed) * (1.0 - across)
        + lattice(column.wrapping_add(1), row, seed) * across;
    upper * (1.0 - down) + lower * down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_bounded_smooth_and_not_flat() {
        let samples: Vec<f32> = (0..2000)
            .map(|i| value(i as f32 * 0.037, i as f32 * 0.011, 7))
            .collect();
        assert!(samples.iter().all(|sample| (-1.0..=1.0).contains(sample)));
        assert!(
            samples
                .windows(2)
                .all(|pair| (pair[0] - pair[1]).abs() < 0.2)
        );
        let (low, high) = samples.iter().fold((1.0f32, -1.0f32), |(low, high), &s| {
            (low.min(s), high.max(s))
        });
        assert!(high - low > 1.0, "{low}…{high}");
        assert_ne!(value(3.5, 4.5, 1), value(3.5, 4.5, 2));
    }
}
