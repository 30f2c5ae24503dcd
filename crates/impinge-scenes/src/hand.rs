//! A hand: a palm, and five fingers of three segments each, the example of an articulated body that Cohen, Lin, Manocha and
//! Ponamgi give (I-COLLIDE, 1995, section 3.4).
//!
//! The palm lies in the plane of x and y and faces up, fingers point along y. Each segment hangs by a hinge on the one before;
//! a positive angle bends it towards the palm. Lengths are those of a person's hand, in metres.

use impinge::articulated::{Joint, JointKind, LinkId};
use impinge::{Error, Linkage, LinkageBuilder, Mat3, Pose, Shape, Vec3};

/// The fingers, in the order of their joints: three a finger, from the palm outward.
pub const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// The segments of a finger, from the palm outward.
pub const SEGMENTS: [&str; 3] = ["proximal", "middle", "distal"];

/// How far a hinge bends, in radians.
const FARTHEST_BEND: f64 = 1.6;

/// Where a finger begins and how it is built.
struct Finger {
    name: &'static str,
    base: Vec3,
    /// How it is turned: first about itself, then away from the middle finger.
    twist: f64,
    spread: f64,
    lengths: [f64; 3],
    radius: f64,
}

const BUILT: [Finger; 5] = [
    Finger {
        name: FINGERS[0],
        base: Vec3::new(-0.035, 0.02, 0.0),
        twist: 1.0,
        spread: 0.9,
        lengths: [0.046, 0.034, 0.028],
        radius: 0.011,
    },
    finger(1, Vec3::new(-0.031, 0.095, 0.0), 0.10, 0.92),
    finger(2, Vec3::new(-0.010, 0.098, 0.0), 0.02, 1.0),
    finger(3, Vec3::new(0.011, 0.095, 0.0), -0.06, 0.94),
    finger(4, Vec3::new(0.031, 0.088, 0.0), -0.16, 0.75),
];

const fn finger(number: usize, base: Vec3, spread: f64, size: f64) -> Finger {
    Finger {
        name: FINGERS[number],
        base,
        twist: 0.0,
        spread,
        lengths: [0.046 * size, 0.029 * size, 0.022 * size],
        radius: 0.0095 * size,
    }
}

/// The hand, open.
///
/// ```
/// # use impinge::Articulation;
/// # use impinge_scenes::hand::{bent, hand};
/// let mut hand = Articulation::new(hand()?)?;
/// assert_eq!((hand.linkage().parts().len(), hand.linkage().freedoms()), (16, 15));
/// assert!(hand.self_contacts().is_empty());
/// hand.set_joints(&bent(1.0))?;
/// assert!(hand.self_intersects());
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn hand() -> Result<Linkage, Error> {
    let mut hand = LinkageBuilder::new("palm");
    hand.add_part(LinkId::ROOT, palm()?, Pose::IDENTITY)?;
    for finger in &BUILT {
        let turn = Mat3::from_rotation_z(finger.spread) * Mat3::from_rotation_y(finger.twist);
        let mut origin = Pose::from_matrix(turn, finger.base)?;
        let mut parent = LinkId::ROOT;
        for (place, segment) in SEGMENTS.iter().enumerate() {
            let name = format!("{} {segment}", finger.name);
            let hinge = JointKind::Revolute { axis: Vec3::X };
            let joint =
                Joint::new(name.clone(), hinge, origin)?.with_limits([0.0, FARTHEST_BEND])?;
            parent = hand.add_link(name, parent, joint)?;
            let radii = [place, place + 1].map(|k| finger.radius * (1.0 - 0.1 * k as f64));
            let length = finger.lengths[place];
            hand.add_part(parent, phalanx(length, radii)?, Pose::IDENTITY)?;
            origin = Pose::from_translation(Vec3::Y * length)?;
        }
    }
    hand.build()
}

/// The positions of all joints when each is bent by a share of what it can.
pub fn bent(share: f64) -> Vec<f64> {
    vec![FARTHEST_BEND * share; FINGERS.len() * SEGMENTS.len()]
}

/// A plate, wider at the fingers than at the wrist.
fn palm() -> Result<Shape, Error> {
    let outline = [
        [-0.030, 0.0],
        [0.030, 0.0],
        [0.040, 0.04],
        [0.040, 0.085],
        [-0.040, 0.09],
        [-0.038, 0.03],
    ];
    let heights = [-0.011, -0.004, 0.004, 0.011];
    let corners = outline.iter().flat_map(|[x, y]| {
        heights.map(|z: f64| {
            // The edges are bevelled.
            let share = if z.abs() > 0.005 { 0.9 } else { 1.0 };
            Vec3::new(x * share, 0.045 + (y - 0.045) * share, z)
        })
    });
    Shape::hull(&corners.collect::<Vec<_>>())
}

/// A segment along y: eight-sided, thinner at its end, its ends bevelled.
fn phalanx(length: f64, radii: [f64; 2]) -> Result<Shape, Error> {
    let ring = [
        [1.0, 0.0],
        [0.7, 0.7],
        [0.0, 1.0],
        [-0.7, 0.7],
        [-1.0, 0.0],
        [-0.7, -0.7],
        [0.0, -1.0],
        [0.7, -0.7],
    ];
    let sections = [
        (-0.4 * radii[0], 0.7 * radii[0]),
        (0.0, radii[0]),
        (length, radii[1]),
        (length + 0.4 * radii[1], 0.7 * radii[1]),
    ];
    let corners = sections
        .iter()
        .flat_map(|(y, radius)| ring.map(|[x, z]| Vec3::new(x * radius, *y, z * radius)));
    Shape::hull(&corners.collect::<Vec<_>>())
}
