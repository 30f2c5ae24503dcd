//! What was wrong, and where.
//!
//! Errors are raised where data enters: constructors, files, `insert`, `set_pose`. Past that point values are valid
//! and functions are total, so a query never fails.

use crate::body::{ArticulationId, BodyId};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why something was refused. The message names the thing and the place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    NonFinite {
        /// What holds the number, with its place: `vertex 12`, `translation`.
        what: String,
    },
    /// A number is finite but outside what its meaning allows.
    OutOfRange {
        /// What the number is, with its place: `radius`, `scale y`.
        what: String,
        /// The number.
        value: f64,
        /// What would have been accepted: `at least 0`.
        expected: &'static str,
    },
    /// A quaternion is not of unit length, or a matrix is not a rotation.
    NotARotation {
        /// How far from a rotation it is.
        deviation: f64,
    },
    /// There is nothing in it.
    Empty {
        /// What is empty: `mesh`, `point set`.
        what: &'static str,
    },
    /// The points span no volume.
    Flat {
        /// What the points have in common: they coincide, are collinear, or are coplanar.
        extent: FlatExtent,
        /// How many points there were.
        points: usize,
    },
    /// An index points past the end.
    IndexOutOfRange {
        /// What holds the index, with its place: `triangle 7`.
        what: String,
        /// The index.
        index: u64,
        /// How many there are.
        count: usize,
    },
    /// More elements than 32-bit indices can name.
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A mesh that should enclose a volume does not.
    NotClosed {
        /// The two vertices of an edge at fault.
        edge: [u32; 2],
        /// What is wrong with that edge.
        reason: OpenReason,
    },
    /// A shape was asked for something that only another kind of shape has.
    WrongShape {
        /// What was asked: `rounding needs a convex shape`.
        message: &'static str,
    },
    /// A body that is not there: never inserted, removed, or replaced by another one.
    UnknownBody {
        /// The body.
        body: BodyId,
    },
    /// A pair was asked for, and both its bodies are the same.
    SameBody {
        /// The body.
        body: BodyId,
    },
    /// An articulated body that is not there: never inserted, or removed.
    UnknownArticulation {
        /// The articulated body.
        articulation: ArticulationId,
    },
    /// A body was to be removed that is a part of an articulated one.
    PartOfArticulation {
        /// The body.
        body: BodyId,
        /// What it is a part of.
        articulation: ArticulationId,
    },
    /// There are more or fewer of something than there should be.
    WrongCount {
        /// What was counted: `joint positions`.
        what: String,
        /// How many there are.
        count: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A name was to be given twice.
    NameInUse {
        /// What has the name: `link`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Things depend on each other in a circle.
    Cycle {
        /// What does: `the mimic of the joint of finger`.
        what: String,
    },
    /// Threads could not be started.
    Threads {
        /// What the system says.
        message: String,
    },
    /// A body was to be inserted where there is one already.
    BodyInUse {
        /// The body.
        body: BodyId,
    },
    /// A name that stands for nothing.
    UnknownName {
        /// What was to be named: `method`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// A file could not be read, written or understood.
    File {
        /// The file, as the caller named it.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// What is wrong there.
        message: String,
    },
}

/// What a point set without volume looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlatExtent {
    /// All points are the same point.
    Point,
    /// All points are on one line.
    Line,
    /// All points are in one plane.
    Plane,
}

/// Why an edge keeps a mesh from being closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenReason {
    /// The edge borders a hole: an odd number of triangles meets there.
    Hole,
    /// An even number of triangles meets there, but their orientations do not cancel.
    Orientation,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line, counted from 1.
    Line(u64),
    /// A byte, counted from 0.
    Byte(u64),
}

impl Error {
    /// An error in a file.
    pub fn in_file(path: &Path, place: Place, message: impl Into<String>) -> Error {
        Error::File {
            path: path.to_path_buf(),
            place,
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NonFinite { what } => write!(f, "{what} is not finite"),
            Error::OutOfRange {
                what,
                value,
                expected,
            } => {
                write!(f, "{what} is {value}, expected {expected}")
            }
            Error::NotARotation { deviation } => write!(
                f,
                "not a rotation: off by {deviation:e}, at most 1e-6 is accepted"
            ),
            Error::Empty { what } => write!(f, "empty {what}"),
            Error::Flat { extent, points } => write!(f, "all {points} points {extent}"),
            Error::IndexOutOfRange { what, index, count } => {
                write!(
                    f,
                    "{what} refers to index {index}, but there are only {count}"
                )
            }
            Error::TooMany { what, count } => {
                write!(f, "{count} {what} are more than 32-bit indices can name")
            }
            Error::NotClosed { edge, reason } => {
                write!(
                    f,
                    "mesh is not closed: {reason} at the edge of vertices {} and {}",
                    edge[0], edge[1]
                )
            }
            Error::WrongShape { message } => f.write_str(message),
            Error::UnknownBody { body } => write!(f, "there is no body {body}"),
            Error::SameBody { body } => write!(f, "body {body} makes no pair with itself"),
            Error::UnknownArticulation { articulation } => {
                write!(f, "there is no articulated body {articulation}")
            }
            Error::PartOfArticulation { body, articulation } => write!(
                f,
                "body {body} is a part of the articulated body {articulation} and stays with it"
            ),
            Error::WrongCount {
                what,
                count,
                expected,
            } => write!(f, "{count} {what}, expected {expected}"),
            Error::NameInUse { what, name } => write!(f, "there are two {what}s named {name}"),
            Error::Cycle { what } => write!(f, "{what} goes in a circle"),
            Error::Threads { message } => write!(f, "threads could not be started: {message}"),
            Error::BodyInUse { body } => {
                write!(f, "body {body} cannot be inserted: its place is taken")
            }
            Error::UnknownName { what, name, known } => {
                let known = known.join(", ");
                write!(f, "unknown {what} \"{name}\", expected one of: {known}")
            }
            Error::File {
                path,
                place,
                message,
            } => match place {
                Place::Whole => write!(f, "{}: {message}", path.display()),
                Place::Line(line) => write!(f, "{}:{line}: {message}", path.display()),
                Place::Byte(byte) => write!(f, "{}: byte {byte}: {message}", path.display()),
            },
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for FlatExtent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlatExtent::Point => "coincide",
            FlatExtent::Line => "lie on one line",
            FlatExtent::Plane => "lie in one plane",
        })
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpenReason::Hole => "an odd number of triangles meets",
            OpenReason::Orientation => "neighbouring triangles are oriented against each other",
        })
    }
}
