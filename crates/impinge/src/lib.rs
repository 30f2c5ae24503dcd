//! Collision detection that is exact: `intersects` is true or false, never "within an epsilon".
//!
//! # The map
//!
//! | module | what it holds |
//! |---|---|
//! | [`math`] | [`Vec3`], [`Quat`], [`Pose`], [`Aabb`], [`Ray`], [`Interval`] |
//! | [`motion`] | [`Motion`], [`Trajectory`]: a pose as a function of time |
//! | [`exact`] | signs and intersection tests that are never wrong |
//! | [`shape`] | [`Shape`] and everything it is made of |
//! | `io` | files in and out, with the crate feature of that name |
//! | [`repair`] | what is wrong with a mesh, and mending it |
//! | [`body`] | [`BodyId`] and [`Pair`]: names of bodies |
//! | [`bound`] | boxes of moving bodies |
//! | [`broad`] | from boxes to pairs of bodies that may touch |
//! | [`kinetic`] | the same in continuous time: boxes that are polynomials of time |
//! | [`bvh`] | trees of bounding volumes over triangles: any volume, the same answers |
//! | [`articulated`] | [`Articulation`]: bodies of many parts, with joints |
//! | [`world`] | [`World`]: many bodies, kept up to date; [`ContinuousWorld`](world::continuous::ContinuousWorld): in continuous time |
//! | [`query`] | questions about two placed shapes |
//! | [`mod@reference`] | the slow, obviously right answers |
//! | [`delaunay`] | tetrahedra between points |
//! | [`contact`] | the answers: [`Separation`], [`Penetration`], [`Impact`], [`Witness`], [`Feature`] |
//!
//! # What exact means
//!
//! Shapes have `f64` vertices. At a [`Pose`] each of them becomes a *placed vertex*, again an `f64` point,
//! computed by [`Pose::place`] and nowhere else. Every answer is about the placed vertices as real numbers.
//! Sets are closed: touching is intersecting.

mod ahead;
pub mod articulated;
pub mod body;
pub mod bound;
pub mod broad;
pub mod bvh;
pub mod contact;
pub mod delaunay;
pub mod error;
pub mod exact;
#[cfg(feature = "io")]
pub mod io;
pub mod kinetic;
mod lanes;
pub mod math;
pub mod motion;
pub mod narrow;
pub mod query;
pub mod reference;
pub mod repair;
pub mod shape;
mod sharing;
pub mod world;

pub use articulated::{Articulation, Linkage, LinkageBuilder};
pub use body::{ArticulationId, BodyId, Pair};
pub use contact::{
    Feature, Impact, ImpactKind, Manifold, Penetration, Separation, SignedDistance, SolidDepth,
    TriangleContact, Witness,
};
pub use error::Error;
pub use math::{Aabb, Interval, Mat3, Pose, Quat, Ray, Vec3};
pub use motion::{Motion, Trajectory};
pub use shape::{HeightField, Placed, Polytope, Shape, Solid, SupportMap, TriMesh};
pub use world::{Contact, Event, Finding, World, WorldOptions};

/// The examples of the readme and of the guide, compiled and run with the other examples.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/guide/concepts.md")]
    struct Concepts;
    #[doc = include_str!("../../../docs/guide/first-world.md")]
    struct FirstWorld;
    #[doc = include_str!("../../../docs/guide/choosing.md")]
    struct Choosing;
    #[doc = include_str!("../../../docs/guide/coherence.md")]
    struct Coherence;
    #[doc = include_str!("../../../docs/guide/filters.md")]
    struct Filters;
    #[doc = include_str!("../../../docs/guide/articulated.md")]
    struct Articulated;
    #[doc = include_str!("../../../docs/guide/continuous.md")]
    struct Continuous;
    #[doc = include_str!("../../../docs/guide/exactness.md")]
    struct Exactness;
}
