//! Kinetic sweep and prune: which boxes overlap, as time goes on, when each box is a polynomial of time.
//!
//! Coming and Staadt (Kinetic Sweep and Prune for Multi-Body Continuous Motion, 2006), on the kinetic sorted lists of Basch,
//! Guibas and Hershberger (1999). The ends of all boxes stand in three lists, one an axis, sorted at every time. Two
//! neighbours in a list stay in order until the difference of their polynomials has a certain root: their *certificate*
//! fails then, and they swap. A queue holds these times. Nothing happens between events, so nothing costs anything there,
//! and no overlap is ever missed, however short. Where we depart from the source: times are exact, so that it is proven
//! that no swap is lost and none is repeated without end; touching counts as overlap; boxes are inserted and removed.
//!
//! **Moments.** Boxes are closed, so two that part still overlap at the instant of parting, and two that touch for one instant
//! overlap then and only then. Hence each instant `t` counts twice: *at* `t`, with the order of the values at `t`; and *right
//! after* `t`, with the order of the values on a short span that begins there, which for polynomials is the order by
//! value, first and second derivative. At both kinds of moment, equal ends stand lower ends first. Both are total preorders.
//!
//! **Certificates.** An upper end stands before a lower one only while it is strictly below: this fails *at* the first root
//! of the difference. All other neighbours may be equal: their order fails *right after* a root at which the difference turns
//! negative. The difference is of the second degree at most, and of its roots at most one can be of the kind that matters.
//!
//! **No swap is lost, and none is endless.** Events are taken in order of their moments. Claim: whenever the next event is at
//! moment `m`, every list is sorted at all moments from the last event up to `m`, without `m`. For all neighbours are in order at these
//! moments, as their certificates have not failed, and the order at a moment is transitive. At `m`, some neighbours are in the
//! wrong order. Each event swaps two of them, that is, two ends of which the second strictly precedes the first at `m`: the
//! number of pairs of ends in the wrong order at `m` falls by one, whatever the order of simultaneous events. New neighbours
//! that are in the wrong order at `m` are events at `m` again. So after at most as many swaps as there are pairs of ends, no
//! neighbours are in the wrong order at `m`, and the list is sorted at `m`. Two ends swap at no more moments than twice the
//! roots of their difference, at most four, as long as motions stay: so time goes on. This needs that moments are compared
//! without error, and whether two ends are in the wrong order at a moment is decided without error.
//!
//! **Arithmetic.** A time is an interval of floats that certainly holds it, and the two polynomials it comes from. Intervals that
//! do not overlap decide; straight motions are compared by expansions; otherwise the roots are compared as algebraic numbers (`exact::algebraic`), and counted.
//!
//! | file | what |
//! |---|---|
//! | `track` | polynomials of time, moving boxes |
//! | `bound`, `dop` | what else may move: intervals along any set of directions |
//! | `moment` | when two ends change places; comparison of moments |
//! | `straight` | crossings of straight tracks, compared by expansions |
//! | `queue` | the priority queues: a four-way heap and the auxiliary two-pass pairing heap |
//! | `lists` | the sorted lists and their certificates |
//! | `sweep` | pairs, events, changes of motion |
//! | `edit` | insertion and removal, many at once |
//! | `around` | boxes of shapes on trajectories; still boxes and times of meeting |
//! | `alarms` | the second queue: ends of validity, responses that the application asked for |
//!
//! **Cost.** A swap gives up to three events another time, each in logarithmic time. A change of motion that does not jump touches
//! the neighbours of six ends, and so does a removal. Insertions between two events are made together, in linear time. Memory is
//! linear in bodies and pairs. The lists know boxes only: whether what is in them touches is for others to say.

mod alarms;
mod around;
mod bound;
mod dop;
mod edit;
mod lists;
mod moment;
mod queue;
mod straight;
mod sweep;
mod track;

pub(crate) use around::Girth;
pub use bound::KineticBound;
pub use dop::{Directions, Dop14, Dop18, Dop26, KineticDop};
pub use queue::QueueKind;
pub use sweep::{KineticEvent, KineticStats, KineticSweep};
pub use track::{CornerMotion, KineticBox, Track};
