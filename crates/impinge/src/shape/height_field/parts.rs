//! Which cells of a height field hang together.

use super::grid::Grid;

/// A triangle of each connected part, ascending: cells hang together when they have a vertex in common.
pub(super) fn first_triangles(grid: &Grid) -> Vec<u32> {
    let [in_row, rows] = grid.cells();
    let mut is_known = vec![false; in_row * rows];
    let mut firsts = Vec::new();
    let mut open = Vec::new();
    for cell in 0..in_row * rows {
        if grid.is_hole(cell / in_row, cell % in_row) || is_known[cell] {
            continue;
        }
        firsts.push(2 * cell as u32);
        is_known[cell] = true;
        open.push(cell);
        while let Some(cell) = open.pop() {
            let (row, column) = (cell / in_row, cell % in_row);
            for row in row.saturating_sub(1)..=row + 1 {
                for column in column.saturating_sub(1)..=column + 1 {
                    let next = row * in_row + column;
                    if !grid.is_hole(row, column) && !std::mem::replace(&mut is_known[next], true) {
                        open.push(next);
                    }
                }
            }
        }
    }
    firsts
}
