//! Which bounding volume suits these two surfaces? The same questions through every tree, with the work counted.

use impinge::bvh::{TreeKind, TreePair, TreeSearch};
use impinge::{Error, Pose, TriMesh, Vec3};
use std::sync::Arc;

fn main() -> Result<(), Error> {
    let sheet = Arc::new(sheet()?);
    // Turned about its normal, a little above itself.
    let above = Pose::from_axis_angle(Vec3::Z, 0.4, Vec3::Z * 0.02)?;
    let mut search = TreeSearch::default();
    let mut node_pairs = Vec::new();
    for kind in TreeKind::ALL {
        let trees = TreePair::new(kind, &sheet, &sheet);
        search.reset_work();
        let meeting = trees.meeting([Pose::IDENTITY, above], &mut search);
        assert_eq!(meeting, None);
        let work = search.work();
        println!(
            "{kind:>12}: {:>7} pairs of nodes, {:>5} of triangles, {:>7} bytes",
            work.node_pairs,
            work.triangle_pairs,
            trees.bytes()
        );
        node_pairs.push((kind, work.node_pairs));
    }
    let of = |kind| {
        node_pairs
            .iter()
            .find(|pair| pair.0 == kind)
            .map(|pair| pair.1)
    };
    assert!(of(TreeKind::Obb) < of(TreeKind::Sphere));
    Ok(())
}

/// A square of 800 triangles, bent like a bowl.
fn sheet() -> Result<TriMesh, Error> {
    let at = |k: u32| {
        let (x, y) = (f64::from(k % 21) * 0.1 - 1.0, f64::from(k / 21) * 0.1 - 1.0);
        Vec3::new(x, y, 0.1 * (x * x + y * y))
    };
    let cells = (0..20).flat_map(|i| (0..20).map(move |j| 21 * i + j));
    let faces = cells.flat_map(|c| [[c, c + 1, c + 22], [c, c + 22, c + 21]]);
    TriMesh::new((0..441).map(at).collect(), faces.collect())
}
