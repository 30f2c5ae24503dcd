use super::*;
use crate::shape::mesh_tree::BLOCK;

/// Heights without any order.
fn rough(row: usize, column: usize) -> f64 {
    let mixed = (row * 31 + column * 17) * 2_654_435_761 % 1009;
    mixed as f64 / 100.0
}

fn field(rows: usize, columns: usize) -> HeightField {
    HeightField::from_fn([rows, columns], [0.3, 0.7], rough).unwrap()
}

/// Checks that each triangle is in one leaf, and that boxes hold what is below them.
fn validate(field: &HeightField) {
    let mut seen = vec![0; field.grid.triangle_end() as usize];
    let mut open = vec![(Slot::ROOT, Vec::<Obb>::new())];
    while let Some((slot, mut around)) = open.pop() {
        let (obb, child) = field.opened(slot);
        assert_eq!(child, field.child(slot));
        around.push(obb);
        match child {
            Child::Node(index) => {
                let node = field.node(index);
                for lane in node.lanes() {
                    let slot = Slot::new(index, lane);
                    assert_eq!(field.opened(slot), (node.obb(lane), node.child(lane)));
                    open.push((slot, around.clone()));
                }
            }
            Child::Block(index) => {
                let block = field.block(index);
                for triangle in block.distinct() {
                    seen[*triangle as usize] += 1;
                }
                for lane in 0..BLOCK {
                    for corner in 0..3 {
                        let p = block.corner(corner, lane);
                        assert!(around.iter().all(|obb| obb.holds(p)), "boxes hold corners");
                    }
                }
            }
        }
    }
    for (triangle, seen) in (0..).zip(seen) {
        assert_eq!(seen, usize::from(field.has(triangle)), "{triangle}");
    }
}

#[test]
fn pyramids_of_all_sizes_are_valid() {
    for (rows, columns) in [
        (2, 2),
        (2, 3),
        (3, 2),
        (2, 100),
        (77, 2),
        (9, 5),
        (33, 34),
        (130, 67),
    ] {
        validate(&field(rows, columns));
    }
}

#[test]
fn holes_are_in_no_leaf() {
    let whole = field(40, 30);
    let holes = (0..39 * 29).filter(|n| n % 3 == 0 || n / 29 / 8 == 1);
    let field = whole.with_holes(holes.map(|n| [n / 29, n % 29])).unwrap();
    validate(&field);
    assert!(field.is_hole(0, 0) && !field.is_hole(0, 1) && field.is_hole(39, 0));
    assert_eq!(field.corners(0), None);
    assert_eq!(
        field.to_mesh().triangles().len(),
        field.triangle_numbers().count()
    );
}

#[test]
fn a_far_and_a_huge_field_have_valid_pyramids() {
    let far = HeightField::from_fn([20, 20], [1e-9, 1e-9], |r, c| 1e6 + 1e-9 * rough(r, c));
    validate(&far.unwrap());
    let huge = HeightField::from_fn([20, 20], [9e306, 1e300], |r, c| 1e306 * rough(r, c));
    validate(&huge.unwrap());
    let tiny = HeightField::from_fn([20, 20], [5e-324, 1e-310], |r, c| 1e-322 * rough(r, c));
    validate(&tiny.unwrap());
}

#[test]
fn parts_are_told_apart_by_holes() {
    assert_eq!(field(8, 8).parts(), [0]);
    let cut = |column: usize| (0..7).map(move |row| [row, column]);
    let two = field(8, 8).with_holes(cut(3)).unwrap();
    assert_eq!(two.parts(), [0, 8]);
    // Cells that touch at one vertex hang together.
    let corner = [[0, 1], [1, 0]];
    let diagonal = field(3, 3).with_holes(corner).unwrap();
    assert_eq!(diagonal.parts(), [0]);
}

#[test]
fn bad_input_is_refused_by_name() {
    let refused = |result: Result<HeightField, Error>| result.unwrap_err().to_string();
    let flat = |n: usize| vec![0.0; n];
    let new = HeightField::new;
    assert!(refused(new([1, 5], [1.0; 2], flat(5))).contains("rows"));
    assert!(refused(new([5, 0], [1.0; 2], flat(0))).contains("columns"));
    assert!(refused(new([2, 2], [1.0; 2], flat(5))).contains("2 rows and 2 columns"));
    assert!(refused(new([2, 2], [0.0, 1.0], flat(4))).contains("along x"));
    assert!(refused(new([2, 2], [1.0, f64::NAN], flat(4))).contains("along y"));
    assert!(refused(new([2, 3], [1e308, 1.0], flat(6))).contains("extent"));
    let mut heights = flat(12);
    heights[7] = f64::NAN;
    assert!(refused(new([3, 4], [1.0; 2], heights)).contains("row 1, column 3"));
    assert!(refused(new([usize::MAX, usize::MAX], [1.0; 2], flat(4))).contains("heights"));
    assert!(refused(field(3, 3).with_holes([[2, 0]])).contains("row of the hole [2, 0]"));
    let all = (0..4).map(|n| [n / 2, n % 2]);
    assert!(refused(field(3, 3).with_holes(all)).contains("height field"));
}

#[test]
fn the_pyramid_is_small() {
    let field = field(512, 512);
    assert!(field.tree_bytes() < 512 * 512);
}
