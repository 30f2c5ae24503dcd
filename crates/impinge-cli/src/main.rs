//! The program `impinge`.

fn main() {}
