//! Bodies on their trajectories.

use crate::body::{BodyId, BodyIds, Pair};
use crate::broad::Filter;
use crate::error::Error;
use crate::kinetic::{Girth, KineticBox};
use crate::math::{Pose, Vec3};
use crate::motion::Trajectory;
use crate::shape::Shape;
use std::collections::VecDeque;

/// A body on its way.
#[derive(Debug, Clone)]
pub(super) struct Traveller {
    pub(super) id: BodyId,
    pub(super) shape: Shape,
    pub(super) trajectory: Trajectory,
    /// What follows when the trajectory ends.
    following: VecDeque<Trajectory>,
    girth: Girth,
    /// Holds the body from `since` until its end.
    pub(super) bounds: KineticBox,
    /// When it got this trajectory, or this box.
    pub(super) since: f64,
    /// How often that happened.
    pub(super) version: u32,
    /// How far the body reaches from its pivot, 0 for a half-space.
    pub(super) reach: f64,
    /// Which others it may meet, and since when.
    pub(super) filter: Filter,
    pub(super) filtered: f64,
}

/// What comes when the box of a body ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Continuation {
    /// Another box for the same motion, or the next piece of it.
    Silent,
    /// Nothing is known; the motion goes on as it is.
    Expired,
}

impl Traveller {
    pub(super) fn pose_at(&self, time: f64) -> Pose {
        let pose = self.trajectory.pose_at(time);
        pose.expect("its box would not be finite, and was checked")
    }

    /// Follows a trajectory from a time on.
    fn follow(&mut self, trajectory: Trajectory, now: f64, tolerance: f64) -> Result<(), Error> {
        let reach = self.girth.reach_from(trajectory.pivot());
        let reach = if reach.is_finite() { reach } else { 0.0 };
        let bounds = boxed(&mut self.girth, &self.shape, &trajectory, now, tolerance)?;
        (self.trajectory, self.bounds) = (trajectory, bounds);
        (self.since, self.reach) = (now, reach);
        self.version = self.version.wrapping_add(1);
        Ok(())
    }

    /// Goes on after the end of the box.
    pub(super) fn go_on(&mut self, now: f64, tolerance: f64) -> Result<Continuation, Error> {
        if now < self.trajectory.end() {
            self.follow(self.trajectory, now, tolerance)?;
            return Ok(Continuation::Silent);
        }
        match self.following.pop_front() {
            Some(next) => self
                .follow(next, now, tolerance)
                .map(|()| Continuation::Silent),
            None => {
                let endless = self.trajectory.until(f64::INFINITY)?;
                self.follow(endless, now, tolerance)?;
                Ok(Continuation::Expired)
            }
        }
    }
}

/// The box of a body that holds it early enough for impacts that are told early by the tolerance.
fn boxed(
    girth: &mut Girth,
    shape: &Shape,
    trajectory: &Trajectory,
    now: f64,
    tolerance: f64,
) -> Result<KineticBox, Error> {
    let plain = girth.kinetic_box(shape, trajectory, now, 0.0)?;
    let end = plain.end();
    if trajectory.is_still() || !end.is_finite() {
        return Ok(plain);
    }
    let reach = girth.reach_from(trajectory.pivot());
    // Times are rounded, too.
    let early = tolerance + 64.0 * f64::EPSILON * (now.abs() + end.abs());
    let room = 2.0 * early * trajectory.speed_bound(reach, now, end);
    if !room.is_finite() {
        return Ok(plain);
    }
    girth.kinetic_box(shape, trajectory, now, room)
}

/// All bodies, by index.
#[derive(Debug, Default)]
pub(super) struct Travellers {
    ids: BodyIds,
    slots: Vec<Option<Traveller>>,
}

impl Travellers {
    pub(super) fn insert(
        &mut self,
        shape: Shape,
        trajectory: Trajectory,
        now: f64,
        tolerance: f64,
    ) -> Result<BodyId, Error> {
        let mut girth = Girth::of(&shape);
        let bounds = boxed(&mut girth, &shape, &trajectory, now, tolerance)?;
        let reach = girth.reach_from(trajectory.pivot());
        let id = self.ids.insert()?;
        let place = id.index() as usize;
        if place == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[place] = Some(Traveller {
            id,
            shape,
            trajectory,
            following: VecDeque::new(),
            girth,
            bounds,
            since: now,
            version: 0,
            reach: if reach.is_finite() { reach } else { 0.0 },
            filter: Filter::default(),
            filtered: now,
        });
        Ok(id)
    }

    pub(super) fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.ids.remove(body)?;
        self.slots[body.index() as usize] = None;
        Ok(())
    }

    /// Gives a body its pieces of motion from now on, one after the other.
    pub(super) fn set_course(
        &mut self,
        body: BodyId,
        pieces: &[Trajectory],
        now: f64,
        tolerance: f64,
    ) -> Result<(), Error> {
        let traveller = self.get_mut(body)?;
        let (first, rest) = pieces
            .split_first()
            .ok_or(Error::Empty { what: "course" })?;
        traveller.follow(*first, now, tolerance)?;
        traveller.following = rest.iter().copied().collect();
        Ok(())
    }

    pub(super) fn get(&self, body: BodyId) -> Result<&Traveller, Error> {
        let traveller = self.at(body.index());
        traveller
            .filter(|traveller| traveller.id == body)
            .ok_or(Error::UnknownBody { body })
    }

    pub(super) fn get_mut(&mut self, body: BodyId) -> Result<&mut Traveller, Error> {
        let traveller = self.at_mut(body.index());
        traveller
            .filter(|traveller| traveller.id == body)
            .ok_or(Error::UnknownBody { body })
    }

    pub(super) fn at(&self, index: u32) -> Option<&Traveller> {
        self.slots.get(index as usize)?.as_ref()
    }

    pub(super) fn at_mut(&mut self, index: u32) -> Option<&mut Traveller> {
        self.slots.get_mut(index as usize)?.as_mut()
    }

    /// The two of a pair, if both are there.
    pub(super) fn both(&self, pair: Pair) -> Option<[&Traveller; 2]> {
        Some([self.get(pair.a()).ok()?, self.get(pair.b()).ok()?])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Traveller> {
        self.slots.iter().flatten()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The velocity at a time of the point of a body that is at a place.
    pub(super) fn velocity_of(&self, body: BodyId, place: Vec3, time: f64) -> Result<Vec3, Error> {
        Ok(self.get(body)?.trajectory.velocity_of(place, time))
    }
}
