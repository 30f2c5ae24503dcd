//! Answers as JSON.

use impinge::{Feature, Separation};
use serde::Serialize;
use serde_json::{Value, json};

/// The answer to one line: the fields that belong to the question.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) intersects: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<bool>,
    #[serde(flatten)]
    pub(super) separation: Option<Apart>,
}

/// A distance and what proves it.
#[derive(Debug, Serialize)]
pub(crate) struct Apart {
    distance: f64,
    lower: f64,
    upper: f64,
    points: [[f64; 3]; 2],
    features: [Value; 2],
}

impl From<Separation> for Apart {
    fn from(s: Separation) -> Apart {
        Apart {
            distance: s.distance,
            lower: s.bounds.lower,
            upper: s.bounds.upper,
            points: [s.witness.a, s.witness.b].map(|p| p.to_array()),
            features: s.features.map(feature),
        }
    }
}

fn feature(feature: Feature) -> Value {
    match feature {
        Feature::Vertex(i) => json!({"vertex": i}),
        Feature::Edge(i) => json!({"edge": i}),
        Feature::Face(i) => json!({"face": i}),
        Feature::Surface => json!("surface"),
        Feature::Inside => json!("inside"),
    }
}
