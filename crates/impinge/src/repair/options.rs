//! What the caller can choose. The defaults change nothing but what is wrong.

use crate::error::Error;

/// How to inspect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InspectOptions {
    /// How many sites of each kind of defect to keep. Counts are complete in any case.
    pub sites: usize,
    /// A face that is off its plane by no more than this, relative to its largest coordinate, is called off by rounding.
    ///
    /// The default is 8 times [`f64::EPSILON`]: corners that were rounded once are each within one of their places, and
    /// the plane that fits them best tilts by a few more. Coordinates that went through `f32` or six decimals need a
    /// larger value, such as 1e-6, to be called so.
    pub rounding: f64,
    /// How much work to spend on the search for self-intersections, in tests of two triangles; a test that floating
    /// point alone cannot decide counts for several. The default is 20 million, a few seconds. A mesh of a million
    /// triangles in ordinary shape needs about half of that.
    pub search_limit: u64,
}

impl Default for InspectOptions {
    fn default() -> InspectOptions {
        InspectOptions {
            sites: 5,
            rounding: 8.0 * f64::EPSILON,
            search_limit: 20_000_000,
        }
    }
}

/// How to mend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// How the mesh is inspected before and after.
    pub inspect: InspectOptions,
    /// Vertices within this distance become one. 0 merges vertices of equal coordinates only, which moves nothing.
    pub weld_tolerance: f64,
    /// Whether to cut faces that are not convex into triangles. Faces that are not planar are cut in any case.
    pub split_non_convex: bool,
    /// Whether to merge coplanar faces into convex ones, and to drop the vertices that are extraneous then.
    pub merge_coplanar: bool,
}

impl Default for RepairOptions {
    fn default() -> RepairOptions {
        RepairOptions {
            inspect: InspectOptions::default(),
            weld_tolerance: 0.0,
            split_non_convex: true,
            merge_coplanar: false,
        }
    }
}

impl RepairOptions {
    pub(super) fn require_valid(&self) -> Result<(), Error> {
        let numbers = [
            ("weld tolerance", self.weld_tolerance),
            ("rounding of faces", self.inspect.rounding),
        ];
        for (what, value) in numbers {
            if !value.is_finite() {
                return Err(Error::NonFinite {
                    what: what.to_owned(),
                });
            }
            if value < 0.0 {
                return Err(Error::OutOfRange {
                    what: what.to_owned(),
                    value,
                    expected: "at least 0",
                });
            }
        }
        Ok(())
    }
}
