//! Merging coplanar faces, and dropping the vertices that are no longer needed then.
//!
//! Faces that hang together across flat edges (see `flat`) form a region. Where the outline of a region is a convex
//! polygon, the polygon takes its place: all faces are turned the same way, so they cover exactly what their outline
//! winds around. Other regions are merged piecewise: a flat edge goes as long as the two faces form a convex polygon
//! without it, as in the convex decomposition of Hertel and Mehlhorn (1983). Then vertices between two collinear edges
//! go. Faces stay planar and convex, and the surface stays the same set of points.
//!
//! A region that is not convex may keep vertices inside: choosing the pieces so that none remain is another problem.

use super::components::{DisjointSets, Parts};
use super::edges::{Edges, EdgesAtVertices};
use super::faces::{is_between, is_convex, spanning_corners};
use super::flat::{continue_straight, flat_edges};
use super::surface::{Surface, directed_edges};
use crate::exact::{Axis, Sign, normal_component};
use crate::math::Vec3;
use std::collections::{HashMap, HashSet};

/// Merges what can be merged; returns how many faces fewer there are.
pub(super) fn merge_coplanar(surface: &mut Surface) -> usize {
    let before = surface.live_faces().count();
    replace_convex_regions(surface);
    merge_pairs(surface);
    drop_straight_vertices(surface);
    before - surface.live_faces().count()
}

/// Puts a single face in the place of each region with a convex outline.
fn replace_convex_regions(surface: &mut Surface) {
    let edges = Edges::new(surface);
    let is_flat = flat_edges(surface, &edges, is_convex);
    let regions = Parts::joined_by(surface, &edges, |edge| is_flat[edge]);
    for region in regions.members.iter().filter(|faces| faces.len() > 1) {
        let Some(outline) = outline(surface, region) else {
            continue;
        };
        if is_convex(&points(surface, &outline)) {
            for face in region {
                surface.faces[*face as usize].clear();
            }
            surface.faces[region[0] as usize] = outline;
        }
    }
}

/// The outline of a region, if it is a single loop that visits no vertex twice.
fn outline(surface: &Surface, region: &[u32]) -> Option<Vec<u32>> {
    let inner = || {
        let faces = region.iter().map(|f| &surface.faces[*f as usize][..]);
        faces.flat_map(directed_edges)
    };
    let directed: HashSet<[u32; 2]> = inner().collect();
    let mut next: HashMap<u32, u32> = HashMap::new();
    let mut start = None;
    for [from, to] in inner().filter(|[from, to]| !directed.contains(&[*to, *from])) {
        start.get_or_insert(from);
        if next.insert(from, to).is_some() {
            return None;
        }
    }
    let start = start?;
    let mut outline = vec![start];
    let mut at = *next.get(&start)?;
    while at != start && outline.len() < next.len() {
        outline.push(at);
        at = *next.get(&at)?;
    }
    (at == start && outline.len() == next.len()).then_some(outline)
}

/// Drops flat edges as long as the faces on both sides form a convex face without it.
fn merge_pairs(surface: &mut Surface) {
    let edges = Edges::new(surface);
    let is_flat = flat_edges(surface, &edges, is_convex);
    // The face that each face has become part of.
    let mut whole = DisjointSets::new(surface.faces.len());
    for (i, edge) in edges.iter().enumerate() {
        let Some(([f, g], _)) = edge.pair().filter(|_| is_flat[i]) else {
            continue;
        };
        let (f, g) = (whole.find(f), whole.find(g));
        if f != g
            && let Some(joined) = join_convex(surface, [f, g], edge.ends)
        {
            surface.faces[f.max(g) as usize].clear();
            surface.faces[f.min(g) as usize] = joined;
            whole.join(f, g);
        }
    }
}

/// The union of two coplanar convex faces that walk an edge in opposite directions, if it is convex.
fn join_convex(surface: &Surface, faces: [u32; 2], edge: [u32; 2]) -> Option<Vec<u32>> {
    let [f, g] = faces.map(|face| &surface.faces[face as usize]);
    let (axis, facing) = facing(&points(surface, f))?;
    // Both as open chains: `first` from the end of the edge to its start, `second` from its start to its end.
    let (first, second) = (chain_around(f, edge)?, chain_around(g, edge)?);
    let (mut first, mut second) = (&first[..], &second[..]);
    // The two may have more edges in common, before and after this one.
    while let ([_, x, _, ..], [.., y, _]) = (first, second)
        && x == y
    {
        (first, second) = (&first[1..], &second[..second.len() - 1]);
    }
    while let ([.., x, _], [_, y, _, ..]) = (first, second)
        && x == y
    {
        (first, second) = (&first[..first.len() - 1], &second[1..]);
    }
    let corner = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| surface.point(v));
        normal_component(axis, a, b, c) == facing || is_between(a, b, c)
    };
    let n = first.len();
    let m = second.len();
    let keeps_convex = n + m > 4
        && corner([second[m - 2], first[0], first[1]])
        && corner([first[n - 2], first[n - 1], second[1]]);
    keeps_convex.then(|| [first, &second[1..m - 1]].concat())
}

/// The corners of a face from the end of an edge around to its start.
fn chain_around(face: &[u32], [a, b]: [u32; 2]) -> Option<Vec<u32>> {
    let is_edge = |[from, to]: [u32; 2]| [from, to] == [a, b] || [from, to] == [b, a];
    let at = directed_edges(face).position(is_edge)?;
    let n = face.len();
    Some((1..=n).map(|k| face[(at + k) % n]).collect())
}

/// An axis along which a convex face shows area, and which way it turns seen along it.
fn facing(corners: &[Vec3]) -> Option<(Axis, Sign)> {
    let [a, b, c] = spanning_corners(corners)?;
    let turns = Axis::ALL.map(|axis| (axis, normal_component(axis, a, b, c)));
    turns.into_iter().find(|(_, turn)| *turn != Sign::Zero)
}

/// Drops vertices that have only two edges left, in a straight line.
fn drop_straight_vertices(surface: &mut Surface) {
    let edges = Edges::new(surface);
    let at_vertices = EdgesAtVertices::new(&edges, surface.points.len());
    let is_needless: Vec<bool> = (0..surface.points.len())
        .map(|v| match *at_vertices.at(v) {
            [p, q] => continue_straight(surface, &edges, v as u32, [p, q]),
            _ => false,
        })
        .collect();
    for face in &mut surface.faces {
        face.retain(|v| !is_needless[*v as usize]);
    }
}

fn points(surface: &Surface, face: &[u32]) -> Vec<Vec3> {
    face.iter().map(|v| surface.point(*v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cells: impl Iterator<Item = [u32; 2]>) -> Surface {
        // Unit squares of a 5 by 5 grid, each cut into two triangles.
        let vertex = |x: u32, y: u32| 6 * y + x;
        Surface {
            points: (0..36)
                .map(|i| Vec3::new(f64::from(i % 6), f64::from(i / 6), 0.0))
                .collect(),
            faces: cells
                .flat_map(|[x, y]| {
                    let [a, b, c, d] =
                        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[dx, dy]| vertex(x + dx, y + dy));
                    [vec![a, b, c], vec![a, c, d]]
                })
                .collect(),
        }
    }

    fn cells() -> impl Iterator<Item = [u32; 2]> {
        (0..25).map(|i| [i % 5, i / 5])
    }

    fn doubled_area(surface: &Surface) -> f64 {
        surface
            .live_faces()
            .map(|f| {
                let p = points(surface, f);
                let fan = (2..p.len()).map(|k| (p[k - 1] - p[0]).cross(p[k] - p[0]).z);
                fan.sum::<f64>()
            })
            .sum()
    }

    #[test]
    fn a_square_of_many_triangles_becomes_a_square() {
        let mut surface = grid(cells());
        assert_eq!(merge_coplanar(&mut surface), 49);
        let face: Vec<u32> = surface.live_faces().next().unwrap().to_vec();
        let mut sorted = face.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 5, 30, 35]);
    }

    #[test]
    fn a_ring_becomes_convex_pieces() {
        let mut surface = grid(cells().filter(|[x, y]| *x == 0 || *x == 4 || *y == 0 || *y == 4));
        assert_eq!(surface.faces.len(), 32);
        merge_coplanar(&mut surface);
        let faces: Vec<Vec<Vec3>> = surface.live_faces().map(|f| points(&surface, f)).collect();
        assert!(faces.len() <= 8, "{} faces", faces.len());
        assert!(faces.iter().all(|f| is_convex(f)));
        assert!((doubled_area(&surface) - 32.0).abs() < 1e-12);
    }

    #[test]
    fn faces_that_meet_at_an_angle_or_face_apart_stay() {
        let mut surface = grid(cells().take(2));
        surface.points[7].z = f64::from_bits(1);
        surface.points[8].z = 1.0;
        surface.points[6].z = 3.0;
        assert_eq!(merge_coplanar(&mut surface), 0);
        let mut surface = grid(cells().take(1));
        surface.faces[1].reverse();
        assert_eq!(merge_coplanar(&mut surface), 0);
    }
}
