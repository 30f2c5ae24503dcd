//! The convex hull of a cube's corners and many points inside and on it. `cargo run --example hull`

use impinge::error::FlatExtent;
use impinge::{Error, Polytope, Vec3};

fn main() -> Result<(), Error> {
    // All points of a 5 x 5 x 5 grid: most of them lie on faces and edges.
    let steps = || (0..5).map(f64::from);
    let grid: Vec<Vec3> = steps()
        .flat_map(|x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))))
        .collect();
    let cube = Polytope::from_points(&grid)?;

    // Faces are true polygons and vertices true corners, however many points are coplanar.
    assert_eq!(cube.vertices().len(), 8);
    assert_eq!(cube.edges().len(), 12);
    assert_eq!(cube.face_count(), 6);
    println!("volume {}, centroid {}", cube.volume(), cube.centroid());
    for vertex in cube.neighbours(0) {
        println!(
            "vertex 0 has the neighbour {}",
            cube.vertices()[*vertex as usize]
        );
    }

    // A set without volume has no hull, and the error says what it is instead.
    let refused = Polytope::from_points(&grid[..25]).map(|_| ());
    println!("the first 25 points: {refused:?}");
    let (extent, points) = (FlatExtent::Plane, 25);
    assert_eq!(refused, Err(Error::Flat { extent, points }));
    Ok(())
}
