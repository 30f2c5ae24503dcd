//! How large the cells of a grid should be.

use crate::broad::{Box32, Boxes};

/// The share of bodies that may be larger than a cell, as one in so many.
const LARGER: usize = 20;

/// The size that nineteen of twenty bodies do not exceed. When that is 0 (points), the mean distance of neighbours if all were
/// spread evenly over the space they take. Always a positive number.
pub(super) fn usual_size(boxes: &Boxes) -> f64 {
    let mut sizes: Vec<f64> = boxes
        .iter()
        .map(|(_, bounds)| longest_edge(bounds))
        .collect();
    let place = sizes.len().saturating_sub(1 + sizes.len() / LARGER);
    let usual = match sizes.get(place) {
        Some(_) => *sizes.select_nth_unstable_by(place, f64::total_cmp).1,
        None => 0.0,
    };
    let size = if usual > 0.0 { usual } else { spacing(boxes) };
    size.clamp(f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX))
}

fn longest_edge(bounds: &Box32) -> f64 {
    let edge = |axis: usize| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
    edge(0).max(edge(1)).max(edge(2))
}

/// The edge of a cube whose share of the space of all bodies is that of one body; 1 when they take no space.
fn spacing(boxes: &Boxes) -> f64 {
    let mut all = Box32 {
        min: [f32::MAX; 3],
        max: [f32::MIN; 3],
    };
    for (_, bounds) in boxes.iter() {
        for axis in 0..3 {
            all.min[axis] = all.min[axis].min(bounds.min[axis]);
            all.max[axis] = all.max[axis].max(bounds.max[axis]);
        }
    }
    let size = longest_edge(&all) / (boxes.len() as f64).cbrt();
    if size > 0.0 { size } else { 1.0 }
}
