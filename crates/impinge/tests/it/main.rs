//! Agreement with independent oracles, adversarial inputs, regressions: one binary, one file a topic.
#![expect(clippy::float_cmp, reason = "exact answers are compared exactly")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs)]

#[cfg(feature = "io")]
mod files;
mod hull_pairs;
mod hulls;
mod inside;
#[cfg(feature = "io")]
mod inspect_data;
mod oracle;
mod rational;
mod reference;
mod repair;
mod signs;
mod triangles;
