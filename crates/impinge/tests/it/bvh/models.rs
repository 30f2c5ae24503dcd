//! Twenty pairs of models at a thousand poses each: generated ones, the shipped ones, and real ones with all their
//! defects from the folder named by `IMPINGE_DATA`. Some poses are built such that vertices fall on each other exactly.
//!
//! The full counts run with `IMPINGE_FULL=1`; without it, a share of them.

use super::{Truth, check_all, trees_of};
use crate::cases::{direction, rng, turn};
use crate::is_full;
use crate::meshes::{ring, soup};
use crate::shapes::kinds::Family;
use impinge::{Mat3, Pose, TriMesh, Vec3};
use impinge_scenes::knots::torus_knot;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::time::Instant;

/// What came up, to see that the test is about something.
#[derive(Debug, Default)]
struct Tally {
    poses: usize,
    meeting: usize,
    /// Of those that meet, the poses that were built to touch and differ from apart by rounding.
    touching: usize,
}

/// How far a mesh reaches from the middle of its box.
fn radius(mesh: &TriMesh) -> f64 {
    0.5 * mesh.bounds().size().length()
}

/// A turn about the origin: any, or by quarters.
fn random_turn(rng: &mut ChaCha8Rng) -> Mat3 {
    if rng.random_range(0..4) > 0 {
        return Mat3::from_quat(turn(rng));
    }
    let quarter = Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z);
    let third = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
    let powers = [rng.random_range(0..4), rng.random_range(0..3)];
    let quarters = (0..powers[0]).fold(Mat3::IDENTITY, |m, _| quarter * m);
    (0..powers[1]).fold(quarters, |m, _| third * m)
}

/// The second mesh in random turn, its middle so far from that of the first, in sums of radii.
fn beside(meshes: &[Arc<TriMesh>; 2], share: f64, rng: &mut ChaCha8Rng) -> [Pose; 2] {
    let reach = radius(&meshes[0]) + radius(&meshes[1]);
    let matrices = [random_turn(rng), random_turn(rng)];
    let [a, b] = [0, 1].map(|k| matrices[k] * meshes[k].bounds().center());
    let at = direction(rng) * (share * reach) + a - b;
    [
        Pose::from_matrix(matrices[0], Vec3::ZERO).unwrap(),
        Pose::from_matrix(matrices[1], at).unwrap(),
    ]
}

/// Poses at which the last vertex of the second mesh along some direction falls on the first one's farthest vertex, or
/// is one rounding beyond it. `None` when rounding has it otherwise.
fn touching(meshes: &[Arc<TriMesh>; 2], rng: &mut ChaCha8Rng) -> Option<[Pose; 2]> {
    let along = [Vec3::X, Vec3::Y, Vec3::Z, direction(rng)][rng.random_range(0..4)];
    let matrices = [random_turn(rng), random_turn(rng)];
    let farthest = |mesh: &TriMesh, matrix: Mat3, along: Vec3| {
        let corners = (0..mesh.triangles().len()).flat_map(|t| mesh.corners(t));
        let placed = Pose::from_matrix(matrix, Vec3::ZERO).unwrap();
        corners
            .map(|v| (placed.place(v).dot(along), v))
            .max_by(|p, q| p.0.total_cmp(&q.0))
            .unwrap()
            .1
    };
    let [v, w] = [
        farthest(&meshes[0], matrices[0], along),
        farthest(&meshes[1], matrices[1], -along),
    ];
    let first = Pose::from_matrix(matrices[0], Vec3::ZERO).unwrap();
    let turned = Pose::from_matrix(matrices[1], Vec3::ZERO).unwrap();
    let at = first.place(v) - turned.place(w);
    let second = Pose::from_matrix(matrices[1], at).unwrap();
    let at = if rng.random_bool(0.3) {
        at.map(|x| if x * along.x > 0.0 { x.next_up() } else { x })
    } else {
        (second.place(w) == first.place(v)).then_some(at)?
    };
    Some([first, Pose::from_matrix(matrices[1], at).unwrap()])
}

fn check_pair(name: &str, meshes: &[Arc<TriMesh>; 2], count: usize, tally: &mut Tally) {
    let mut rng = rng(name.bytes().map(u64::from).sum());
    let trees = trees_of(meshes);
    let mut last = None;
    let start = Instant::now();
    for round in 0..count {
        let built = (round % 4 == 0)
            .then(|| touching(meshes, &mut rng))
            .flatten();
        let is_built = built.is_some();
        let share = [0.1, 0.4, 0.6, 0.8, 1.0, 1.3, 3.0][rng.random_range(0..7)];
        let poses = built.unwrap_or_else(|| beside(meshes, share, &mut rng));
        let truth = Truth::new(meshes, &poses);
        check_all(&trees, poses, &truth, &mut last, &format!("{name} {round}"));
        tally.poses += 1;
        tally.meeting += usize::from(truth.meet);
        tally.touching += usize::from(truth.meet && is_built);
    }
    let kinds = trees.len();
    println!(
        "{name}: {count} poses, {kinds} kinds of trees, {:.1?}",
        start.elapsed()
    );
}

/// A flat grid of triangles, or one with waves.
fn grid(cells: u32, waves: f64) -> TriMesh {
    let at = |k: u32| {
        let (x, y) = (f64::from(k % (cells + 1)), f64::from(k / (cells + 1)));
        Vec3::new(x, y, waves * (0.7 * x).sin() * (0.5 * y).cos())
    };
    let vertices = (0..(cells + 1) * (cells + 1)).map(at).collect();
    let places = (0..cells).flat_map(|i| (0..cells).map(move |j| (cells + 1) * i + j));
    let faces = places.flat_map(|c| {
        let across = c + cells + 2;
        [[c, c + 1, across], [c, across, c + cells + 1]]
    });
    TriMesh::new(vertices, faces.collect()).unwrap()
}

/// Needles in all directions, some of them without area.
fn needles(count: u32, rng: &mut ChaCha8Rng) -> TriMesh {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let (at, along) = (direction(rng), direction(rng) * 0.5);
        let thin = [0.0, 1e-9, 1e-3][rng.random_range(0..3)];
        vertices.extend([at, at + along, at + along * 0.3 + direction(rng) * thin]);
    }
    let faces = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    TriMesh::new(vertices, faces.collect()).unwrap()
}

fn moved(mesh: &TriMesh, by: Vec3) -> TriMesh {
    let vertices = mesh.vertices().iter().map(|v| *v + by).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

#[test]
fn generated_models_agree_with_brute_force() {
    let count = if is_full() { 1000 } else { 12 };
    let mut rng = rng(181);
    let bumps = grid(12, 0.4);
    let knot = |p, q| torus_knot(p, q, 700).unwrap();
    let pairs: [(&str, [TriMesh; 2]); 8] = [
        ("rings", [ring(24, 8, 0.3), ring(20, 6, 0.2)]),
        ("knots", [knot(2, 3), knot(3, 4)]),
        ("plates", [grid(12, 0.0), grid(9, 0.0)]),
        ("waves", [bumps.clone(), bumps.clone()]),
        ("needles", [needles(60, &mut rng), needles(80, &mut rng)]),
        (
            "soups",
            [
                soup(&mut rng, 80, Family::Snapped),
                soup(&mut rng, 60, Family::Snapped),
            ],
        ),
        (
            "defects",
            [
                soup(&mut rng, 60, Family::Degenerate),
                soup(&mut rng, 70, Family::Degenerate),
            ],
        ),
        ("far", [moved(&bumps, Vec3::splat(1e7)), ring(16, 6, 0.2)]),
    ];
    let mut tally = Tally::default();
    for (name, meshes) in pairs {
        check_pair(name, &meshes.map(Arc::new), count, &mut tally);
    }
    println!("generated models: {tally:?}");
    let Tally {
        poses,
        meeting,
        touching,
    } = tally;
    assert!(meeting > poses / 10 && poses - meeting > poses / 10 && touching > poses / 50);
}

#[cfg(feature = "io")]
mod read {
    use super::*;
    use std::path::Path;

    const PAIRS: [[&str; 2]; 12] = [
        ["meshes/as-spider.obj", "meshes/suzanne.obj"],
        ["aircraft/f16-lowpoly.obj", "meshes/as-spider.obj"],
        ["meshes/tm-wallhole.obj", "meshes/tm-not_convex.obj"],
        ["meshes/tm-soup.stl", "meshes/tm-soup.stl"],
        [
            "degenerate/cgal-all_degen.off",
            "meshes/cgal-hedra_open.off",
        ],
        [
            "degenerate/cgal-aw-overlay_triangulation.off",
            "degenerate/cgal-small_ccs.off",
        ],
        [
            "degenerate/cgal-ct-cheese31.off",
            "degenerate/cgal-ct-HexiCosPot-1-sv.off",
        ],
        [
            "meshes/bullet-duck_vhacd.obj",
            "meshes/bullet-shape_sorter.obj",
        ],
        ["meshes/cgal-pig.off", "meshes/cgal-cactus.off"],
        [
            "assemblies/differential/diff_motor_cover.stl",
            "assemblies/differential/diff_spider_shaft.stl",
        ],
        ["meshes/cgal-joint.off", "meshes/cgal-U_sheet.off"],
        [
            "degenerate/cgal-aw-three_knives.off",
            "degenerate/erleben-crack.obj",
        ],
    ];

    fn read(folder: &Path, file: &str) -> Arc<TriMesh> {
        let path = folder.join(file);
        let model = impinge::io::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Arc::new(model.triangulate().unwrap())
    }

    /// The same size for both, so that the poses are about something.
    fn alike(mesh: &TriMesh) -> TriMesh {
        let factor = 1.0 / radius(mesh);
        let vertices = mesh.vertices().iter().map(|v| *v * factor).collect();
        TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
    }

    #[test]
    fn shipped_models_agree_with_brute_force() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let [bracket, broken, cube] =
            ["bracket.obj", "broken.obj", "cube.obj"].map(|file| read(&folder, file));
        let count = if is_full() { 1000 } else { 10 };
        let mut tally = Tally::default();
        check_pair(
            "bracket, cube",
            &[bracket.clone(), cube.clone()],
            count,
            &mut tally,
        );
        check_pair(
            "broken, bracket",
            &[broken.clone(), bracket],
            count,
            &mut tally,
        );
        check_pair("cube, broken", &[cube, broken], count, &mut tally);
        println!("shipped models: {tally:?}");
        assert!(tally.meeting > 0 && tally.meeting < tally.poses);
    }

    #[test]
    fn real_models_agree_with_brute_force() {
        let Some(folder) = std::env::var_os("IMPINGE_DATA") else {
            println!("not run: IMPINGE_DATA does not name the folder of test data");
            return;
        };
        let count = if is_full() { 1000 } else { 4 };
        let mut tally = Tally::default();
        for [a, b] in PAIRS {
            let meshes = [a, b].map(|file| Arc::new(alike(&read(Path::new(&folder), file))));
            check_pair(&format!("{a}, {b}"), &meshes, count, &mut tally);
        }
        println!("real models: {tally:?}");
        assert!(tally.meeting > tally.poses / 20 && tally.meeting < tally.poses);
    }
}
