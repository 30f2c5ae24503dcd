//! Building the tree: boxes along the principal axes of the triangles, divided at the mean along the longest.

use crate::math::{Mat3, SurfaceMoments, Vec3, eigenvectors};
use crate::shape::TriMesh;

/// An oriented box in the frame of the mesh's own tree, whose unit makes coordinates at most 1, or 2.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) center: Vec3,
    pub(super) axes: Mat3,
    pub(super) half: Vec3,
    pub(super) content: Content,
}

/// What is in a box.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Triangle(u32),
    Nodes([u32; 2]),
}

impl Node {
    pub(super) fn size(&self) -> f64 {
        self.half.element_sum()
    }
}

/// By how much boxes are made larger, as a share of the coordinates: products with axes have a dozen roundings.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// The nodes of a tree, the root first.
pub(super) fn build(mesh: &TriMesh) -> Vec<Node> {
    let (center, unit) = (mesh.tree().center(), mesh.tree().unit());
    let corners: Vec<[Vec3; 3]> = (0..mesh.triangles().len())
        .map(|t| mesh.corners(t).map(|v| (v - center) / unit))
        .collect();
    let slack = SLACK * (2.0 + mesh.bounds().magnitude() / unit);
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    let mut nodes: Vec<Node> = Vec::with_capacity(2 * corners.len());
    // Ranges of the order that wait for a node, and the place of the name of that node in its parent.
    let mut open = vec![(0, order.len(), None)];
    while let Some((from, to, parent)) = open.pop() {
        let number = nodes.len() as u32;
        if let Some((node, child)) = parent {
            let node: &mut Node = &mut nodes[node as usize];
            if let Content::Nodes(children) = &mut node.content {
                children[child] = number;
            }
        }
        let part = &mut order[from..to];
        let mut node = fit(part.iter().map(|t| &corners[*t as usize]), slack);
        if let [triangle] = *part {
            node.content = Content::Triangle(triangle);
        } else {
            let middle = from + divide(part, &corners, &node);
            open.push((middle, to, Some((number, 1))));
            open.push((from, middle, Some((number, 0))));
        }
        nodes.push(node);
    }
    nodes
}

/// The box along the principal axes of triangles.
fn fit<'t>(triangles: impl Iterator<Item = &'t [Vec3; 3]> + Clone, slack: f64) -> Node {
    let axes = principal_axes(triangles.clone());
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for corner in triangles.flatten() {
        let place = axes.transpose() * *corner;
        (low, high) = (low.min(place), high.max(place));
    }
    Node {
        center: axes * ((low + high) * 0.5),
        axes,
        half: (high - low) * 0.5 + Vec3::splat(slack),
        content: Content::Nodes([0, 0]),
    }
}

/// The principal axes of the surface.
fn principal_axes<'t>(triangles: impl Iterator<Item = &'t [Vec3; 3]>) -> Mat3 {
    let mut moments = SurfaceMoments::NONE;
    triangles.for_each(|triangle| moments.add(*triangle));
    let covariance = moments.covariance();
    covariance.map_or(Mat3::IDENTITY, |matrix| eigenvectors(matrix).0)
}

/// Divides triangles at the mean of their centres along the longest axis of their box, or in equal numbers where that leaves
/// one side empty; how many are on the first side.
fn divide(part: &mut [u32], corners: &[[Vec3; 3]], node: &Node) -> usize {
    let longest = match node.half {
        half if half.x >= half.y.max(half.z) => node.axes.x_axis,
        half if half.y >= half.z => node.axes.y_axis,
        _ => node.axes.z_axis,
    };
    let height = |t: u32| {
        let [p, q, r] = corners[t as usize];
        longest.dot(p + q + r)
    };
    let mean = part.iter().map(|t| height(*t)).sum::<f64>() / part.len() as f64;
    part.sort_unstable_by(|a, b| height(*a).total_cmp(&height(*b)));
    let below = part.partition_point(|t| height(*t) < mean);
    if below == 0 || below == part.len() {
        part.len() / 2
    } else {
        below
    }
}
