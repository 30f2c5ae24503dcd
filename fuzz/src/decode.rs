//! Bytes to points, in ways that make degenerate input common.

use impinge::Vec3;

/// The bytes of an input, read one after the other; behind the end there are zeros.
#[derive(Debug)]
pub struct Bytes<'a> {
    bytes: std::slice::Iter<'a, u8>,
    mode: Mode,
}

/// How bytes become coordinates.
#[derive(Debug, Clone, Copy)]
enum Mode {
    /// Small integers, shifted and scaled.
    Grid { scale: f64, shift: f64 },
    /// The same, with some of them one bit off.
    Disturbed { scale: f64, shift: f64 },
    /// Any finite number.
    Raw,
}

const SCALES: [f64; 8] = [1.0, 0.1, 1e-9, 1e9, 1e-160, 1e150, 1e-300, 1e300];
const SHIFTS: [f64; 4] = [0.0, 0.0, 0.1, 1e3];

impl<'a> Bytes<'a> {
    /// Starts reading; the first two bytes choose the mode.
    pub fn new(data: &'a [u8]) -> Bytes<'a> {
        let mut bytes = Bytes {
            bytes: data.iter(),
            mode: Mode::Raw,
        };
        let (kind, place) = (bytes.byte(), usize::from(bytes.byte()));
        let scale = SCALES[place % 8];
        let shift = SHIFTS[place / 8 % 4];
        bytes.mode = match kind % 3 {
            0 => Mode::Grid { scale, shift },
            1 => Mode::Disturbed { scale, shift },
            _ => Mode::Raw,
        };
        bytes
    }

    /// One byte.
    pub fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// A finite number.
    pub fn number(&mut self) -> f64 {
        match self.mode {
            Mode::Grid { scale, shift } => grid(self.byte(), shift) * scale,
            Mode::Disturbed { scale, shift } => {
                let byte = self.byte();
                let x = grid(byte, shift) * scale;
                match byte >> 4 {
                    0 => x.next_up(),
                    1 => x.next_down(),
                    _ => x,
                }
            }
            Mode::Raw => finite(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
        }
    }

    /// Points of which some repeat an earlier one, or one of its coordinates.
    pub fn points<const N: usize>(&mut self) -> [Vec3; N] {
        let mut points = [Vec3::ZERO; N];
        for i in 0..N {
            let tag = self.byte();
            let earlier = points[usize::from(tag >> 4) % i.max(1)];
            points[i] = match tag % 16 {
                0 if i > 0 => earlier,
                1 if i > 0 => Vec3::new(earlier.x, self.number(), self.number()),
                2 if i > 0 => Vec3::new(self.number(), earlier.y, self.number()),
                3 if i > 0 => Vec3::new(self.number(), self.number(), earlier.z),
                4 if i > 0 => earlier * 2.0_f64.powi(i32::from(self.byte() % 4)),
                _ => Vec3::new(self.number(), self.number(), self.number()),
            };
            if !points[i].is_finite() {
                points[i] = earlier;
            }
        }
        points
    }
}

/// One of the integers from -2 to 2, shifted.
fn grid(byte: u8, shift: f64) -> f64 {
    f64::from(byte % 5) - 2.0 + shift
}

/// The float with these bits, or with a lower exponent where they are infinite or NaN.
fn finite(bits: u64) -> f64 {
    let x = f64::from_bits(bits);
    if x.is_finite() {
        x
    } else {
        f64::from_bits(bits & !(1 << 62))
    }
}
