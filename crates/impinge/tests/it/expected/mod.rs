//! Published models and their published or independently computed answers.
//!
//! The folder is other people's work and no part of this repository: its path is taken from `IMPINGE_DATA`, and without
//! it these tests say that they did not run.
//!
//! The tests that read models need the feature `io`, which is on when the whole workspace is tested.
//!
//! Where the expected answer is a peer's floating-point one, the oracle has the last word: the library must agree with
//! the oracle exactly and with the peer to the precision that the file states.

mod convex;
#[cfg(feature = "io")]
mod impacts;
mod known;
#[cfg(feature = "io")]
mod meshes;
#[cfg(feature = "io")]
mod robots;
#[cfg(feature = "io")]
mod scenes;
mod triangles;

use impinge::{Mat3, Pose, Vec3};
use serde_json::Value;
use std::path::PathBuf;

/// The path of a file of the folder, or nothing when there is no folder.
fn data(file: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("IMPINGE_DATA") else {
        println!("not run: IMPINGE_DATA names no folder with {file}");
        return None;
    };
    Some(PathBuf::from(folder).join(file))
}

/// A file of answers.
fn answers(file: &str) -> Option<Value> {
    let path = data(file)?;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let all: Vec<f64> = list(value).iter().map(number).collect();
    all.try_into().expect("as many numbers as expected")
}

fn point(value: &Value) -> Vec3 {
    Vec3::from(numbers::<3>(value))
}

/// A pose from nine numbers, row by row, and a translation; either may be missing.
fn pose(rotation: &Value, translation: &Value) -> Pose {
    let matrix = if rotation.is_null() {
        Mat3::IDENTITY
    } else {
        Mat3::from_cols_array(&numbers(rotation)).transpose()
    };
    let translation = if translation.is_null() {
        Vec3::ZERO
    } else {
        point(translation)
    };
    Pose::from_matrix(matrix, translation).expect("a rotation")
}
