//! Agreement with independent oracles, adversarial inputs, regressions: one binary, one file a topic.
#![expect(clippy::float_cmp, reason = "exact answers are compared exactly")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs)]

mod articulated;
mod bound;
mod broad;
mod bvh;
mod cases;
mod continuous;
mod delaunay;
mod expected;
#[cfg(feature = "io")]
mod files;
mod gjk;
mod gradual;
mod height_fields;
mod hull_depth;
mod hull_pairs;
mod hulls;
mod impact;
mod inside;
#[cfg(feature = "io")]
mod inspect_data;
mod kinetic;
mod lin_canny;
mod mass;
mod meshes;
mod oracle;
mod paths;
mod penetration;
mod polytope_pairs;
mod rational;
mod reference;
mod repair;
mod robustness;
mod shapes;
mod signs;
mod sphere_trees;
mod triangles;
mod world;

/// Whether the full counts were asked for, by `IMPINGE_FULL=1`.
fn is_full() -> bool {
    std::env::var_os("IMPINGE_FULL").is_some_and(|value| value == "1")
}
