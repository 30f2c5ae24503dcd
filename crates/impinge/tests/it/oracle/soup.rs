//! Triangle soups against each other: every pair of triangles whose boxes meet, by [`triangles_meet`].

use super::triangles_meet;
use impinge::Vec3;

type Triangle = [Vec3; 3];

/// Whether the unions of two sets of closed triangles share a point.
pub(crate) fn soups_meet(a: &[Triangle], b: &[Triangle]) -> bool {
    let mut b: Vec<&Triangle> = b.iter().collect();
    b.sort_by(|s, t| low(s).x.total_cmp(&low(t).x));
    a.iter().any(|s| {
        b.iter()
            .take_while(|t| low(t).x <= high(s).x)
            .any(|t| boxes_meet(s, t) && triangles_meet(s, t))
    })
}

fn low(t: &Triangle) -> Vec3 {
    t[0].min(t[1]).min(t[2])
}

fn high(t: &Triangle) -> Vec3 {
    t[0].max(t[1]).max(t[2])
}

fn boxes_meet(s: &Triangle, t: &Triangle) -> bool {
    low(s).cmple(high(t)).all() && low(t).cmple(high(s)).all()
}
