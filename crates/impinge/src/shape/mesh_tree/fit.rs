//! An oriented box around triangles.
//!
//! Its axes are the principal axes of the surface (the eigenvectors of its covariance matrix, area by area, after Gottschalk,
//! Lin and Manocha 1996) or the coordinate axes, whichever gives the smaller box.
//!
//! **Error bounds.** Let `u = 2^-24`. Axes are rounded from unit vectors that are orthogonal to within a few roundings of
//! doubles, so that products of two of the first two axes are within `2 u` of what they should be, and with the third, a
//! rounded cross product, within `8 u`. A point at `d` from the centre has coordinates `x` with
//! `d = x1 e1 + x2 e2 + x3 e3`; they differ from the products `e_i . d` by at most `25 u |d|`, and the products as computed
//! (three roundings, and one of `d` itself) from the true ones by at most `5 u |d|`. With `|d|` below 1.01 times the sum of
//! the largest products, [`SLACK`] times that sum is four times of what is needed; the rest is room for what queries do
//! to boxes.

use super::node::{BLOCK, Block, Obb, cross};
use crate::math::{Mat3, SurfaceMoments, Vec3, eigenvectors};

/// By how much a box is made larger, as a share of the sum of half its edges: `2^-17`, or `128 u`.
const SLACK: f32 = 1.0 / (1 << 17) as f32;

/// A box around all triangles of the blocks.
pub(super) fn around(blocks: &[Block]) -> Obb {
    let upright = upright(blocks);
    let [first, second, _] = principal_axes(blocks);
    let fitted = spanned([first, second, cross(first, second)], blocks);
    if surface(&fitted) < surface(&upright) {
        fitted
    } else {
        upright
    }
}

/// The box along the coordinate axes: [`spanned`] without the products.
fn upright(blocks: &[Block]) -> Obb {
    let mut low = [[f32::INFINITY; BLOCK]; 3];
    let mut high = [[f32::NEG_INFINITY; BLOCK]; 3];
    for corner in blocks.iter().flat_map(|block| &block.corners) {
        for (column, (low, high)) in corner.iter().zip(low.iter_mut().zip(&mut high)) {
            for lane in 0..BLOCK {
                low[lane] = lesser(low[lane], column[lane]);
                high[lane] = greater(high[lane], column[lane]);
            }
        }
    }
    let low = low.map(|lanes| lanes.into_iter().fold(f32::INFINITY, f32::min));
    let high = high.map(|lanes| lanes.into_iter().fold(f32::NEG_INFINITY, f32::max));
    let center = [0, 1, 2].map(|k| (low[k] + high[k]) * 0.5);
    Obb {
        center,
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        half: widened([0, 1, 2].map(|k| greater(high[k] - center[k], center[k] - low[k]))),
    }
}

/// The lesser of two numbers: of finite ones, in one instruction, which [`f32::min`] is not everywhere.
#[inline(always)]
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of two numbers, likewise.
#[inline(always)]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn surface(obb: &Obb) -> f32 {
    let [x, y, z] = obb.half;
    x * y + y * z + z * x
}

/// The box with given axes.
pub(super) fn spanned(axes: [[f32; 3]; 3], blocks: &[Block]) -> Obb {
    let (low, high) = heights(&axes, [0.0; 3], blocks);
    let mut center = [0.0; 3];
    for (axis, (low, high)) in axes.iter().zip(low.iter().zip(high)) {
        for k in 0..3 {
            center[k] += axis[k] * ((low + high) * 0.5);
        }
    }
    let (low, high) = heights(&axes, center, blocks);
    let reach = [0, 1, 2].map(|k| high[k].max(-low[k]));
    Obb {
        center,
        axes,
        half: widened(reach),
    }
}

/// Half edges of a box with its slack, from how far its contents reach.
pub(in crate::shape) fn widened(reach: [f32; 3]) -> [f32; 3] {
    let slack = SLACK * (reach[0] + reach[1] + reach[2]) + f32::MIN_POSITIVE;
    reach.map(|reach| reach + slack)
}

/// The lowest and highest products of each axis with a corner minus the origin.
fn heights(axes: &[[f32; 3]; 3], origin: [f32; 3], blocks: &[Block]) -> ([f32; 3], [f32; 3]) {
    let mut low = [[f32::INFINITY; BLOCK]; 3];
    let mut high = [[f32::NEG_INFINITY; BLOCK]; 3];
    for block in blocks {
        for [x, y, z] in &block.corners {
            for (axis, (low, high)) in axes.iter().zip(low.iter_mut().zip(&mut high)) {
                for lane in 0..BLOCK {
                    let d = [
                        x[lane] - origin[0],
                        y[lane] - origin[1],
                        z[lane] - origin[2],
                    ];
                    let height = axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2];
                    low[lane] = lesser(low[lane], height);
                    high[lane] = greater(high[lane], height);
                }
            }
        }
    }
    (
        low.map(|lanes| lanes.into_iter().fold(f32::INFINITY, f32::min)),
        high.map(|lanes| lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)),
    )
}

#[inline(always)]
fn seen_from(origin: Vec3, [x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x), f64::from(y), f64::from(z)) - origin
}

/// The principal axes of the surface.
fn principal_axes(blocks: &[Block]) -> [[f32; 3]; 3] {
    let origin = seen_from(Vec3::ZERO, blocks[0].corner(0, 0));
    let mut moments = SurfaceMoments::NONE;
    for block in blocks {
        for lane in 0..BLOCK {
            // One by one: `map` is not always compiled in line.
            moments.add([
                seen_from(origin, block.corner(0, lane)),
                seen_from(origin, block.corner(1, lane)),
                seen_from(origin, block.corner(2, lane)),
            ]);
        }
    }
    let covariance = moments.covariance();
    let axes = covariance.map_or(Mat3::IDENTITY, |matrix| eigenvectors(matrix).0);
    axes.to_cols_array_2d().map(|axis| axis.map(|x| x as f32))
}
