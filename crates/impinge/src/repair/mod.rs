//! Finding what is wrong with a mesh, and mending it.
//!
//! [`inspect()`] names all defects of the preprocessor of I-COLLIDE (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE: An
//! Interactive and Exact Collision Detection System for Large-Scale Environments, 1995, section 6.2): duplicate and
//! extraneous vertices, backfacing polygons, non-planar and non-convex faces, non-convex polytopes and disconnected faces;
//! and beyond these holes, edges and vertices that are not manifold, faces without area, repeated faces, inverted and
//! one-sided components, and self-intersections. [`repair`] mends what has one right mend, in the order given in `mend`,
//! and leaves the rest, with the reason. Both tell in a [`Report`] what they found, where, and what was done.
//!
//! What is a yes or no in real arithmetic (equal, collinear, coplanar, convex, inside out, intersecting) is decided
//! exactly; what is a matter of degree comes with a number.

mod box_tree;
mod components;
mod convexity;
mod duplicates;
mod edges;
mod faces;
mod flat;
mod inspect;
mod intersections;
mod measure;
mod mend;
mod merge;
mod options;
mod orient;
mod report;
mod sentences;
mod split;
mod surface;
mod triangles;
mod weld;
mod zip;

pub use inspect::{inspect, inspect_with};
pub use mend::repair;
pub use options::{InspectOptions, RepairOptions};
pub use report::{Action, Change, Convexity, Defect, Facts, Finding, Report, Search, Site};
