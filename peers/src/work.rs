//! The work that all engines are given: shapes, poses, and which pairs to ask about in each frame.
//!
//! A pair is a candidate of a frame when the boxes of its placed vertices overlap, in `f64`. Each pair of bodies that is
//! ever a candidate has a number, by which engines keep what they remember about it.

use impinge::{Aabb, Error, Polytope, Pose};
use impinge_scenes::trace::{Placement, Trace};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A recording, prepared.
pub struct Work {
    /// The name of the recording.
    pub name: String,
    /// The recording itself.
    pub trace: Trace,
    /// The shapes as Impinge has them.
    pub polytopes: Vec<Polytope>,
    /// Poses and candidates, frame by frame.
    pub frames: Vec<Frame>,
    /// How many different pairs are candidates at some time.
    pub pair_count: usize,
}

/// One frame.
pub struct Frame {
    /// Where each body is.
    pub poses: Vec<Pose>,
    /// The same, as the recording has it.
    pub placements: Vec<Placement>,
    /// The pairs to ask about.
    pub candidates: Vec<Candidate>,
}

/// Two bodies whose boxes overlap.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// The first body, the one with the smaller number.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// The number of the pair.
    pub pair: u32,
}

impl Work {
    /// Prepares a recording of convex bodies.
    pub fn load(path: &Path) -> Result<Work, Error> {
        let trace = Trace::read(path)?;
        let polytopes = trace
            .shapes
            .iter()
            .map(|shape| Polytope::from_points(&shape.vertices))
            .collect::<Result<Vec<_>, Error>>()?;
        let mut numbers = HashMap::new();
        let frames = trace
            .frames
            .iter()
            .map(|placements| {
                let poses = placements
                    .iter()
                    .map(Placement::pose)
                    .collect::<Result<Vec<_>, Error>>()?;
                let boxes = boxes(&polytopes, &trace.shape_of, &poses);
                let candidates = overlapping(&boxes)
                    .into_iter()
                    .map(|(a, b)| {
                        let next = numbers.len() as u32;
                        let pair = *numbers.entry((a, b)).or_insert(next);
                        Candidate { a, b, pair }
                    })
                    .collect();
                Ok(Frame {
                    poses,
                    placements: placements.clone(),
                    candidates,
                })
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Work {
            name: name.to_string_lossy().into_owned(),
            polytopes,
            frames,
            pair_count: numbers.len(),
            trace,
        })
    }

    /// The shape of a body.
    pub fn polytope(&self, body: u32) -> &Polytope {
        &self.polytopes[self.trace.shape_of[body as usize] as usize]
    }

    /// How many questions there are over all frames.
    pub fn candidate_count(&self) -> usize {
        self.frames.iter().map(|f| f.candidates.len()).sum()
    }

    /// Writes the candidates for programs in other languages: for each frame a count and that many pairs, all `u32`.
    pub fn write_pairs(&self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        for frame in &self.frames {
            out.write_all(&(frame.candidates.len() as u32).to_le_bytes())?;
            for candidate in &frame.candidates {
                out.write_all(&candidate.a.to_le_bytes())?;
                out.write_all(&candidate.b.to_le_bytes())?;
            }
        }
        out.flush()
    }
}

fn boxes(polytopes: &[Polytope], shape_of: &[u32], poses: &[Pose]) -> Vec<Aabb> {
    let placed_box = |(shape, pose): (&u32, &Pose)| {
        let vertices = polytopes[*shape as usize].vertices().iter();
        Aabb::of_points(vertices.map(|v| pose.place(*v))).expect("a polytope has vertices")
    };
    shape_of.iter().zip(poses).map(placed_box).collect()
}

/// The overlapping pairs, sorted, by a sweep along x.
fn overlapping(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|i, j| {
        let start = |k: &u32| boxes[*k as usize].min().x;
        start(i).total_cmp(&start(j))
    });
    let mut pairs = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let first = &boxes[i as usize];
        for &j in &order[place + 1..] {
            let second = &boxes[j as usize];
            if second.min().x > first.max().x {
                break;
            }
            if first.overlaps(second) {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
