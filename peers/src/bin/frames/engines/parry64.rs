//! parry3d in double precision.

use parry3d_f64 as parry;

const NAME: &str = "parry3d-f64";

include!("parry.rs");
