//! Answers as JSON: the fields that belong to the question.

use super::meshes::{Meeting, TrianglePair};
use impinge::exact::HullPenetration;
use impinge::narrow::depth::cameron::DepthEstimate;
use impinge::query::PathImpact;
use impinge::{
    Feature, Impact, ImpactKind, Interval, Penetration, Separation, SolidDepth, Vec3, Witness,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The answer to one line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Intersects { intersects: bool },
    Within { within: bool },
    Apart(Apart),
    Deep(Deep),
    Hit(Hit),
    Touch(Touch),
    Triangles { triangles: Vec<u32> },
    Pairs { pairs: Vec<[u32; 2]> },
    Contacts { contacts: Vec<TrianglePair> },
    Manifold { manifold: Option<Meeting> },
}

impl Answer {
    pub(super) fn intersects(intersects: bool) -> Answer {
        Answer::Intersects { intersects }
    }

    pub(super) fn within(within: bool) -> Answer {
        Answer::Within { within }
    }
}

impl From<Separation> for Answer {
    fn from(separation: Separation) -> Answer {
        Answer::Apart(separation.into())
    }
}

impl From<Deep> for Answer {
    fn from(deep: Deep) -> Answer {
        Answer::Deep(deep)
    }
}

impl From<Hit> for Answer {
    fn from(hit: Hit) -> Answer {
        Answer::Hit(hit)
    }
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
            points: points(&s.witness),
            features: s.features.map(feature),
        }
    }
}

/// A depth and the way out. Shapes that are apart have a depth of 0 and no more.
#[derive(Debug, Serialize)]
pub(super) struct Deep {
    intersects: bool,
    depth: f64,
    lower: f64,
    upper: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<[[f64; 3]; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<[Value; 2]>,
}

impl Deep {
    /// Shapes that are apart.
    pub(super) fn none() -> Deep {
        Deep {
            intersects: false,
            depth: 0.0,
            lower: 0.0,
            upper: 0.0,
            direction: None,
            points: None,
            features: None,
        }
    }

    fn along(direction: Vec3, depth: f64, bounds: Interval) -> Deep {
        Deep {
            intersects: true,
            depth,
            lower: bounds.lower,
            upper: bounds.upper,
            direction: Some(direction.to_array()),
            points: None,
            features: None,
        }
    }
}

impl From<Penetration> for Deep {
    fn from(p: Penetration) -> Deep {
        Deep {
            points: Some(points(&p.witness)),
            features: Some(p.features.map(feature)),
            ..Deep::along(p.direction, p.depth, p.bounds)
        }
    }
}

impl From<HullPenetration> for Deep {
    fn from(p: HullPenetration) -> Deep {
        Deep {
            points: Some(points(&p.witness)),
            ..Deep::along(p.direction, p.depth, p.bounds)
        }
    }
}

impl From<SolidDepth> for Deep {
    fn from(p: SolidDepth) -> Deep {
        let way = p.witness.a - p.witness.b;
        Deep {
            intersects: true,
            depth: p.depth,
            lower: p.bounds.lower,
            upper: p.bounds.upper,
            direction: way.try_normalize().map(|way| way.to_array()),
            points: Some(points(&p.witness)),
            features: Some(p.features.map(feature)),
        }
    }
}

impl From<DepthEstimate> for Deep {
    fn from(estimate: DepthEstimate) -> Deep {
        Deep::along(estimate.direction, estimate.bounds.upper, estimate.bounds)
    }
}

/// A time of impact; null when there is none.
#[derive(Debug, Serialize)]
pub(super) struct Hit {
    toi: Option<f64>,
    #[serde(flatten)]
    details: Option<HitDetails>,
}

#[derive(Debug, Serialize)]
struct HitDetails {
    kind: &'static str,
    lower: f64,
    upper: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[f64; 3]>,
    points: [[f64; 3]; 2],
    features: [Value; 2],
}

impl From<Option<Impact>> for Hit {
    fn from(impact: Option<Impact>) -> Hit {
        Hit {
            toi: impact.map(|impact| impact.time),
            details: impact.map(|impact| HitDetails {
                kind: match impact.kind {
                    ImpactKind::Start => "start",
                    ImpactKind::Contact => "contact",
                    ImpactKind::Undecided => "undecided",
                },
                lower: impact.bounds.lower,
                upper: impact.bounds.upper,
                direction: impact.normal.map(|normal| normal.to_array()),
                points: points(&impact.witness),
                features: impact.features.map(feature),
            }),
        }
    }
}

/// Whether and when features on straight paths touch; null when they never do.
#[derive(Debug, Serialize)]
pub(super) struct Touch {
    hit: bool,
    toi: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<f64>,
}

impl From<Option<PathImpact>> for Touch {
    fn from(impact: Option<PathImpact>) -> Touch {
        Touch {
            hit: impact.is_some(),
            toi: impact.map(|impact| impact.time),
            lower: impact.map(|impact| impact.bounds.lower),
            upper: impact.map(|impact| impact.bounds.upper),
        }
    }
}

fn points(witness: &Witness) -> [[f64; 3]; 2] {
    [witness.a, witness.b].map(|p| p.to_array())
}

/// What a point is on.
pub(super) fn feature(feature: Feature) -> Value {
    match feature {
        Feature::Vertex(i) => json!({"vertex": i}),
        Feature::Edge(i) => json!({"edge": i}),
        Feature::Face(i) => json!({"face": i}),
        Feature::Surface => json!("surface"),
        Feature::Inside => json!("inside"),
    }
}
