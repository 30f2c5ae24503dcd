//! What the comparisons share: recordings, programs in other languages, and hulls of Box3D.

#[cfg(feature = "box3d")]
pub mod hulls;
pub mod process;
pub mod work;
