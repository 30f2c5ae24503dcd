//! One line: a question about two shapes, or about two moving features.

use super::answer::{Answer, Deep, Hit};
use super::fields::{Fields, expected, in_place, number, text};
use super::meshes::{self, MeshQuestion};
use super::models::Models;
use super::{motion, paths, pose, shape};
use impinge::contact::Tolerance;
use impinge::exact::hull_penetration;
use impinge::narrow::PairCache;
use impinge::narrow::depth::cameron;
use impinge::query::{self, Method};
use impinge::{Placed, Polytope, Vec3};
use serde_json::Value;
use std::path::Path;

/// What is asked, and by which method.
enum Question<'v> {
    Intersects(Method),
    Within {
        method: Method,
        gap: f64,
    },
    Distance(Method),
    /// By the default method.
    DistanceTo(Tolerance),
    Penetration(DepthMethod),
    Mesh(MeshQuestion),
    Impact {
        motions: [motion::Given<'v>; 2],
        tolerance: f64,
    },
}

/// How the depth is found.
#[derive(Clone, Copy)]
enum DepthMethod {
    Default,
    /// Exact arithmetic, for polytopes.
    Reference,
    /// Cameron's estimate, for polytopes.
    Cameron,
}

impl DepthMethod {
    const ALL: [DepthMethod; 3] = [
        DepthMethod::Default,
        DepthMethod::Reference,
        DepthMethod::Cameron,
    ];

    fn name(self) -> &'static str {
        match self {
            DepthMethod::Default => "default",
            DepthMethod::Reference => "reference",
            DepthMethod::Cameron => "cameron",
        }
    }

    fn parse(name: &str) -> Result<DepthMethod, String> {
        let known = DepthMethod::ALL;
        let found = known.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| unknown_method(name, &known.map(DepthMethod::name)))
    }
}

pub(super) fn unknown_method(name: &str, known: &[&str]) -> String {
    let known = known.join(", ");
    format!("unknown method \"{name}\", expected one of: {known}")
}

/// The tolerance of a time of impact when a line gives none.
const TOLERANCE: f64 = 1e-9;

/// Answers a line that is valid JSON, and names the method that did. Relative paths are relative to `folder`.
pub(super) fn answer(
    line: &Value,
    folder: &Path,
    models: &mut Models,
) -> Result<(Answer, &'static str), String> {
    let mut fields = Fields::of("", line)?;
    // The caller echoes it.
    fields.take("id");
    let name = text("query", fields.require("query")?)?;
    if let Some(ask) = paths::named(name) {
        return paths::answer(ask, fields);
    }
    if name == "self-intersections" {
        return meshes::self_intersections(fields, folder, models);
    }
    let question = read_question(name, &mut fields)?;
    let [a, b] = [fields.require("a")?, fields.require("b")?];
    let [pose_a, pose_b] = [fields.take("pose_a"), fields.take("pose_b")];
    fields.finish()?;
    let a = shape::read("a", a, folder, models)?;
    let b = shape::read("b", b, folder, models)?;
    let place = |given: &shape::Given, name: &str, value| {
        let pose = pose::read(name, value)?;
        given.pose(pose).map_err(|e| in_place(name, &e.to_string()))
    };
    let placed = [
        a.shape().at(place(&a, "pose_a", pose_a)?),
        b.shape().at(place(&b, "pose_b", pose_b)?),
    ];
    let answer = question.ask([&a, &b], placed)?;
    Ok((answer, question.method()))
}

fn said<T>(result: Result<T, impinge::Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

impl Question<'_> {
    fn ask(&self, given: [&shape::Given; 2], placed: [Placed<'_>; 2]) -> Result<Answer, String> {
        let [a, b] = placed;
        match self {
            Question::Intersects(method) => {
                said(query::intersects_by(*method, a, b)).map(Answer::intersects)
            }
            Question::Within { method, gap } => {
                said(query::within_by(*method, a, b, *gap)).map(Answer::within)
            }
            Question::Distance(method) => said(query::distance_by(*method, a, b)).map(Answer::from),
            Question::DistanceTo(tolerance) => {
                let cache = &mut PairCache::default();
                said(query::distance_to_tolerance(a, b, *tolerance, cache)).map(Answer::from)
            }
            Question::Mesh(question) => question.ask(placed),
            Question::Penetration(method) => penetration(*method, placed).map(Answer::from),
            Question::Impact { motions, tolerance } => {
                impact(given, placed, motions, *tolerance).map(Answer::from)
            }
        }
    }

    /// The name of the method.
    fn method(&self) -> &'static str {
        match self {
            Question::Intersects(method)
            | Question::Within { method, .. }
            | Question::Distance(method) => method.name(),
            Question::Penetration(method) => method.name(),
            Question::Impact { .. } | Question::DistanceTo(_) | Question::Mesh(_) => {
                Method::Default.name()
            }
        }
    }
}

fn read_question<'v>(name: &str, fields: &mut Fields<'v>) -> Result<Question<'v>, String> {
    let method = fields.take("method").map(|value| text("method", value));
    let method = method.transpose()?.unwrap_or("default");
    if let Some(question) = meshes::named(name, fields)? {
        return if method == "default" {
            Ok(Question::Mesh(question))
        } else {
            Err(unknown_method(method, &[Method::Default.name()]))
        };
    }
    match name {
        "intersects" => Ok(Question::Intersects(said(method.parse())?)),
        "distance" => match (read_distance_tolerance(fields)?, method) {
            (None, _) => Ok(Question::Distance(said(method.parse())?)),
            (Some(tolerance), "default") => Ok(Question::DistanceTo(tolerance)),
            (Some(_), _) => Err(unknown_method(method, &[Method::Default.name()])),
        },
        "within" => Ok(Question::Within {
            method: said(method.parse())?,
            gap: not_negative("gap", fields.require("gap")?)?,
        }),
        "penetration" => Ok(Question::Penetration(DepthMethod::parse(method)?)),
        "toi" if method == "default" => {
            let tolerance = read_tolerance(fields)?;
            Ok(Question::Impact {
                motions: motion::SIDES.map(|side| motion::Given::take(fields, side)),
                tolerance,
            })
        }
        "toi" => Err(unknown_method(method, &[Method::Default.name()])),
        _ => Err(format!(
            "unknown query \"{name}\", expected one of: intersects, within, distance, penetration, toi, contacts, manifold, solid-depth, self-intersections, vertex-face, edge-edge"
        )),
    }
}

/// How much too early a time may be.
pub(super) fn read_tolerance(fields: &mut Fields<'_>) -> Result<f64, String> {
    match fields.take("tolerance") {
        Some(value) => number("tolerance", value),
        None => Ok(TOLERANCE),
    }
}

/// By how much a distance may be off, if a line gives that.
fn read_distance_tolerance(fields: &mut Fields<'_>) -> Result<Option<Tolerance>, String> {
    let mut take = |name: &'static str| {
        let value = fields.take(name);
        value.map(|value| not_negative(name, value)).transpose()
    };
    let (absolute, relative) = (take("tolerance")?, take("relative")?);
    let is_given = absolute.is_some() || relative.is_some();
    Ok(is_given.then_some(Tolerance {
        absolute: absolute.unwrap_or(0.0),
        relative: relative.unwrap_or(0.0),
    }))
}

fn not_negative(place: &str, value: &Value) -> Result<f64, String> {
    let value = number(place, value)?;
    if value < 0.0 {
        return Err(expected(place, "a number that is not negative"));
    }
    Ok(value)
}

fn penetration(method: DepthMethod, [a, b]: [Placed<'_>; 2]) -> Result<Deep, String> {
    let found = match method {
        DepthMethod::Default => said(query::penetration(a, b))?.map(Deep::from),
        DepthMethod::Reference => {
            let place = |placed: &Placed<'_>| -> Result<Vec<Vec3>, String> {
                let vertices = polytope(placed, method)?.vertices().iter();
                Ok(vertices.map(|v| placed.pose.place(*v)).collect())
            };
            hull_penetration(&place(&a)?, &place(&b)?).map(Deep::from)
        }
        DepthMethod::Cameron => {
            let (p, q) = (polytope(&a, method)?, polytope(&b, method)?);
            let cache = PairCache::default();
            cameron::estimate_depth(p, &a.pose, q, &b.pose, &cache).map(Deep::from)
        }
    };
    Ok(found.unwrap_or_else(Deep::none))
}

fn polytope<'p>(placed: &Placed<'p>, method: DepthMethod) -> Result<&'p Polytope, String> {
    placed.shape.as_polytope().ok_or_else(|| {
        let name = method.name();
        format!("{name} needs polytopes: boxes, points or hulls, without a radius")
    })
}

fn impact(
    given: [&shape::Given; 2],
    placed: [Placed<'_>; 2],
    motions: &[motion::Given<'_>; 2],
    tolerance: f64,
) -> Result<Hit, String> {
    let [a, b] = placed;
    let motion_a = motions[0].motion(a.pose, given[0])?;
    let motion_b = motions[1].motion(b.pose, given[1])?;
    let found = query::time_of_impact(a.shape, &motion_a, b.shape, &motion_b, tolerance);
    said(found).map(Hit::from)
}
