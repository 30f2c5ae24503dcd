//! Trees of spheres that are more than a volume around each part of a mesh.
//!
//! | file | what |
//! |---|---|
//! | `quinlan` | [`Quinlan`]: many small spheres tile each triangle |
//! | `hubbard` | [`Hubbard`]: spheres about Voronoi vertices, which approximate the inside |
//! | `tiles` | triangles cut into small pieces |

mod hubbard;
mod quinlan;
mod tiles;

pub use hubbard::Hubbard;
pub use quinlan::Quinlan;
