//! Spheres about Voronoi vertices, and the pieces of the surface that they hold.

use super::Leaf;
use crate::bvh::TreeFrame;
use crate::bvh::spheres::tiles::Tile;
use crate::delaunay::Delaunay;
use crate::math::{Pose, Vec3};
use crate::query;
use crate::shape::{Shape, Solid, TriMesh};

/// The leaves that hold all tiles.
pub(super) fn leaves(
    mesh: &TriMesh,
    frame: &TreeFrame,
    points: &[Vec3],
    tiles: Vec<Tile>,
) -> Vec<Leaf> {
    match Delaunay::new(points) {
        Ok(cells) => {
            let skeleton = Skeleton::new(mesh, frame, &cells);
            skeleton.give(tiles)
        }
        // A flat surface has no Voronoi vertices: a leaf a tile.
        Err(_) => tiles.into_iter().map(alone).collect(),
    }
}

fn alone(tile: Tile) -> Leaf {
    Leaf {
        center: tile.ball().center,
        tiles: vec![tile],
    }
}

/// The Voronoi vertices that count.
struct Skeleton<'c> {
    cells: &'c Delaunay,
    /// By tetrahedron: the middle of its sphere and the radius, if it counts.
    spheres: Vec<Option<(Vec3, f64)>>,
    /// By point: the tetrahedra that it is a corner of.
    around: Vec<Vec<u32>>,
}

impl<'c> Skeleton<'c> {
    fn new(mesh: &TriMesh, frame: &TreeFrame, cells: &'c Delaunay) -> Skeleton<'c> {
        let solid = Solid::new(mesh.clone()).ok().map(Shape::from);
        let bounds = mesh.bounds();
        let counts = |center: Vec3| {
            let center = frame.leave(center);
            bounds.contains(center) && solid.as_ref().is_none_or(|solid| is_in(solid, center))
        };
        let sphere = |tetrahedron: u32| {
            let center = cells.circumcenter(tetrahedron).filter(|c| counts(*c))?;
            let [corner, ..] = cells.corners(tetrahedron);
            Some((center, center.distance(corner)))
        };
        let spheres: Vec<_> = (0..cells.tetrahedra().len() as u32).map(sphere).collect();
        let mut around = vec![Vec::new(); cells.points().len()];
        for (tetrahedron, corners) in (0..).zip(cells.tetrahedra()) {
            for corner in corners {
                around[*corner as usize].push(tetrahedron);
            }
        }
        Skeleton {
            cells,
            spheres,
            around,
        }
    }

    /// Gives each tile to the sphere that must grow least.
    fn give(&self, tiles: Vec<Tile>) -> Vec<Leaf> {
        let mut given: Vec<Vec<Tile>> = vec![Vec::new(); self.spheres.len()];
        let mut leaves = Vec::new();
        let mut near = 0;
        for tile in tiles {
            near = self.cells.walk(near, tile.ball().center);
            match self.best_for(&tile, near) {
                Some(sphere) => given[sphere as usize].push(tile),
                None => leaves.push(alone(tile)),
            }
        }
        let used = self.spheres.iter().zip(given);
        leaves.extend(used.filter_map(|(sphere, tiles)| {
            let (center, _) = (*sphere)?;
            (!tiles.is_empty()).then_some(Leaf { center, tiles })
        }));
        leaves
    }

    /// The sphere that must grow least to hold a tile, among those that touch the points about a tetrahedron, or the points about
    /// its neighbours.
    fn best_for(&self, tile: &Tile, near: u32) -> Option<u32> {
        let growth = |(center, radius): (Vec3, f64)| {
            let far = tile.corners.map(|corner| corner.distance(center));
            far[0].max(far[1]).max(far[2]) - radius
        };
        let beside = self.cells.neighbors(near).into_iter().flatten();
        let mut best = None;
        for tetrahedron in [near].into_iter().chain(beside) {
            let corners = self.cells.tetrahedra()[tetrahedron as usize];
            let candidates = corners
                .iter()
                .flat_map(|corner| &self.around[*corner as usize]);
            for candidate in candidates {
                if let Some(sphere) = self.spheres[*candidate as usize] {
                    let own = (growth(sphere), *candidate);
                    if best.is_none_or(|best: (f64, u32)| own.0 < best.0) {
                        best = Some(own);
                    }
                }
            }
            if best.is_some() {
                break;
            }
        }
        best.map(|(_, sphere)| sphere)
    }
}

/// Whether a point is in a solid. It decides about the quality of the tree, and nothing else.
fn is_in(solid: &Shape, point: Vec3) -> bool {
    let (Ok(dot), Ok(at)) = (Shape::sphere(0.0), Pose::from_translation(point)) else {
        return false;
    };
    query::intersects(solid.at(Pose::IDENTITY), dot.at(at))
}
