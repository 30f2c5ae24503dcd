//! parry3d in double precision.
#![expect(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the shared text converts from and to the precision of the library, which is ours here"
)]

use parry3d_f64 as parry;

const NAME: &str = "parry3d-f64";

include!("parry.rs");
