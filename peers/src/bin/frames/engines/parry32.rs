//! parry3d in single precision.

use parry3d as parry;

const NAME: &str = "parry3d";

include!("parry.rs");
