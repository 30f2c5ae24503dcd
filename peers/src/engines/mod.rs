//! The engines, behind one small interface.
//!
//! Libraries that Rust can call implement [`Library`] and are run by [`InProcess`]; the others are programs, run by
//! [`child::Child`].

#[cfg(feature = "box3d")]
mod box3d;
pub mod child;
mod impinge;
mod parry32;
mod parry64;

use impinge_peers::work::Work;
use impinge_scenes::crowd::Candidate;
use std::time::Instant;

/// What is asked about each candidate pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether they intersect: 1 or 0.
    Intersects,
    /// How far they are apart, 0 when they intersect.
    Distance,
    /// How far they are apart, or how deep they overlap, negative.
    SignedDistance,
}

/// All questions, in the order of the tables.
pub const QUESTIONS: [Question; 3] = [
    Question::Intersects,
    Question::Distance,
    Question::SignedDistance,
];

impl Question {
    /// As tables and the programs of other languages name it.
    pub fn name(self) -> &'static str {
        match self {
            Question::Intersects => "intersects",
            Question::Distance => "distance",
            Question::SignedDistance => "signed",
        }
    }
}

/// Whether an engine keeps from frame to frame what it finds out about each pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// It does.
    Coherent,
    /// Every query is the first one.
    Cold,
}

impl Memory {
    /// As tables and the programs of other languages name it.
    pub fn name(self) -> &'static str {
        match self {
            Memory::Coherent => "coherent",
            Memory::Cold => "cold",
        }
    }
}

/// A way to answer a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// What is asked.
    pub question: Question,
    /// What is remembered.
    pub memory: Memory,
}

/// What came of a method on all frames.
pub struct Run {
    /// The time that answering took, frame by frame.
    pub seconds: Vec<f64>,
    /// The answers in the order of the candidates; NaN where there is none.
    pub answers: Vec<f64>,
}

/// Something that can be asked about all frames of some work.
pub trait Engine {
    /// Its name in tables.
    fn name(&self) -> &str;
    /// What it can do.
    fn methods(&self) -> Vec<Method>;
    /// Answers for every candidate of every frame, from a fresh start.
    fn run(&mut self, method: Method) -> Result<Run, String>;
}

/// A library that Rust can call.
trait Library {
    fn name(&self) -> &'static str;
    fn methods(&self) -> Vec<Method>;
    /// Forgets all that is remembered about pairs.
    fn forget(&mut self);
    /// Takes the poses of a frame, by its number. Not timed.
    fn place(&mut self, frame: usize);
    /// Answers for each pair. Timed, with what it costs to look up and keep memories.
    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut [f64]);
}

/// A library and its work.
struct InProcess<'w, L> {
    work: &'w Work,
    library: L,
}

impl<L: Library> Engine for InProcess<'_, L> {
    fn name(&self) -> &str {
        self.library.name()
    }

    fn methods(&self) -> Vec<Method> {
        self.library.methods()
    }

    fn run(&mut self, method: Method) -> Result<Run, String> {
        let crowd = &self.work.crowd;
        let mut answers = vec![f64::NAN; crowd.candidate_count()];
        let mut left = &mut answers[..];
        let mut seconds = Vec::with_capacity(crowd.frames().len());
        self.library.forget();
        for (number, frame) in crowd.frames().iter().enumerate() {
            let (now, later) = left.split_at_mut(frame.candidates.len());
            left = later;
            self.library.place(number);
            let start = Instant::now();
            self.library.answer(method, &frame.candidates, now);
            seconds.push(start.elapsed().as_secs_f64());
        }
        Ok(Run { seconds, answers })
    }
}

/// Every question with every memory.
fn all_methods() -> Vec<Method> {
    let of =
        |question| [Memory::Coherent, Memory::Cold].map(move |memory| Method { question, memory });
    QUESTIONS.into_iter().flat_map(of).collect()
}

/// Impinge, and after it the libraries that Rust can call and that take the shapes of this work.
pub fn in_process(work: &Work) -> Vec<Box<dyn Engine + '_>> {
    let mut engines: Vec<Box<dyn Engine + '_>> = vec![Box::new(InProcess {
        work,
        library: impinge::Impinge::new(work),
    })];
    match parry32::Parry::new(work) {
        Some(library) => engines.push(Box::new(InProcess { work, library })),
        None => eprintln!("{}: parry3d refuses a shape", work.name),
    }
    match parry64::Parry::new(work) {
        Some(library) => engines.push(Box::new(InProcess { work, library })),
        None => eprintln!("{}: parry3d-f64 refuses a shape", work.name),
    }
    #[cfg(feature = "box3d")]
    match box3d::Box3d::new(work) {
        Some(library) => engines.push(Box::new(InProcess { work, library })),
        None => eprintln!("{}: a shape is beyond the limits of Box3D", work.name),
    }
    engines
}
