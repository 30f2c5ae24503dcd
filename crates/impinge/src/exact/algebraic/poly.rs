//! Polynomials with integer coefficients.

use crate::exact::Sign;
use crate::exact::big::sign;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// A polynomial in one variable; the constant term comes first and the last coefficient is not zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Poly {
    coefficients: Vec<IBig>,
}

/// The closed interval from `low / 2^shift` to `high / 2^shift`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DyadicInterval {
    pub(super) low: IBig,
    pub(super) high: IBig,
    pub(super) shift: usize,
}

impl Poly {
    /// From coefficients, constant term first; leading zeros are dropped.
    pub(crate) fn new(mut coefficients: Vec<IBig>) -> Poly {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Poly { coefficients }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The degree; 0 for constants, zero among them.
    pub(crate) fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    pub(crate) fn plus(&self, other: &Poly) -> Poly {
        self.combine(other, |a, b| a + b)
    }

    pub(crate) fn minus(&self, other: &Poly) -> Poly {
        self.combine(other, |a, b| a - b)
    }

    fn combine(&self, other: &Poly, operation: impl Fn(&IBig, &IBig) -> IBig) -> Poly {
        let length = self.coefficients.len().max(other.coefficients.len());
        let zero = IBig::ZERO;
        let coefficient = |poly: &Poly, i: usize| poly.coefficients.get(i).unwrap_or(&zero).clone();
        let combined =
            (0..length).map(|i| operation(&coefficient(self, i), &coefficient(other, i)));
        Poly::new(combined.collect())
    }

    pub(crate) fn times(&self, other: &Poly) -> Poly {
        if self.is_zero() || other.is_zero() {
            return Poly::new(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Poly::new(product)
    }

    /// The sign at `numerator / 2^shift`.
    pub(super) fn sign_at(&self, numerator: &IBig, shift: usize) -> Sign {
        let mut value = IBig::ZERO;
        for (k, coefficient) in self.coefficients.iter().rev().enumerate() {
            value = value * numerator + (coefficient << (k * shift));
        }
        sign(&value)
    }

    /// Positive multiples of the Bernstein coefficients over an interval.
    ///
    /// The polynomial is between the smallest and the largest of them there, and has no more roots inside than they have
    /// changes of sign, the difference being even.
    pub(super) fn bernstein(&self, over: &DyadicInterval) -> Vec<IBig> {
        let local = self.in_local_variable(over);
        let degree = local.len().saturating_sub(1);
        // The coefficient j is the sum over i of c_i (j choose i) / (degree choose i); (degree)! clears the fractions.
        let scaled: Vec<IBig> = (0..=degree)
            .map(|i| &local[i] * IBig::from(factorial(degree) / choose(degree, i)))
            .collect();
        (0..=degree)
            .map(|j| (0..=j).map(|i| &scaled[i] * IBig::from(choose(j, i))).sum())
            .collect()
    }

    /// A positive multiple of the polynomial in the variable that runs from 0 to 1 over the interval.
    fn in_local_variable(&self, over: &DyadicInterval) -> Vec<IBig> {
        let width = &over.high - &over.low;
        let mut local: Vec<IBig> = vec![IBig::ZERO; self.degree() + 1];
        for (k, coefficient) in self.coefficients.iter().rev().enumerate() {
            // Horner: times (low + width x), plus the next coefficient.
            for i in (0..=k).rev() {
                let lower = if i > 0 {
                    &local[i - 1] * &width
                } else {
                    IBig::ZERO
                };
                local[i] = &local[i] * &over.low + lower;
            }
            local[0] += coefficient << (k * over.shift);
        }
        local
    }

    /// All real roots are smaller in size than two to this power.
    pub(super) fn root_bits(&self) -> usize {
        let bits = |c: &IBig| c.unsigned_abs().bit_len();
        let most = self.coefficients.iter().map(bits).max().unwrap_or(0);
        // One plus the largest quotient of a coefficient by the leading one.
        2 + most - self.coefficients.last().map_or(0, bits)
    }

    /// The sign of the leading coefficient.
    pub(crate) fn lead(&self) -> Sign {
        self.coefficients.last().map_or(Sign::Zero, sign)
    }

    /// A polynomial with the same roots, each of them once.
    pub(super) fn square_free(&self) -> Poly {
        let common = self.gcd(&self.derivative());
        self.divided_by(&common)
    }

    pub(crate) fn derivative(&self) -> Poly {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Poly::new(terms.map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// A greatest common divisor, without common factors of its coefficients; zero for two zeros.
    ///
    /// Euclid's algorithm with pseudo-remainders, each freed of its common factors.
    pub(super) fn gcd(&self, other: &Poly) -> Poly {
        let (mut a, mut b) = (self.primitive(), other.primitive());
        if a.degree() < b.degree() {
            std::mem::swap(&mut a, &mut b);
        }
        while !b.is_zero() {
            if b.degree() == 0 {
                return Poly::new(vec![IBig::ONE]);
            }
            let remainder = a.pseudo_divided_by(&b).1.primitive();
            a = std::mem::replace(&mut b, remainder);
        }
        a
    }

    /// A positive or negative multiple of the quotient by a divisor.
    fn divided_by(&self, divisor: &Poly) -> Poly {
        if divisor.degree() == 0 {
            return self.primitive();
        }
        self.pseudo_divided_by(divisor).0.primitive()
    }

    /// Quotient and remainder of a non-zero multiple of the polynomial by one of positive degree.
    fn pseudo_divided_by(&self, divisor: &Poly) -> (Poly, Poly) {
        let lead = &divisor.coefficients[divisor.degree()];
        let mut rest = self.coefficients.clone();
        let mut quotient = vec![IBig::ZERO; rest.len().saturating_sub(divisor.degree())];
        for place in (0..quotient.len()).rev() {
            let factor = rest[place + divisor.degree()].clone();
            for c in rest.iter_mut().chain(&mut quotient) {
                *c *= lead;
            }
            for (i, d) in divisor.coefficients.iter().enumerate() {
                rest[place + i] -= &factor * d;
            }
            quotient[place] = factor;
        }
        (Poly::new(quotient), Poly::new(rest))
    }

    /// Without common factors of the coefficients.
    fn primitive(&self) -> Poly {
        let mut content = UBig::ZERO;
        for coefficient in &self.coefficients {
            content = if content.is_zero() {
                coefficient.unsigned_abs()
            } else if coefficient.is_zero() {
                content
            } else {
                content.gcd(coefficient.unsigned_abs())
            };
            if content.is_one() {
                return self.clone();
            }
        }
        let content = IBig::from(content);
        Poly::new(self.coefficients.iter().map(|c| c / &content).collect())
    }
}

fn factorial(n: usize) -> usize {
    (1..=n).product()
}

fn choose(n: usize, k: usize) -> usize {
    factorial(n) / (factorial(k) * factorial(n - k))
}
