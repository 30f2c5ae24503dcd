//! The signs of `exact` against rational arithmetic, on grids (where ties are common) and at extreme exponents.

use impinge::Vec3;
use impinge::exact::{
    Axis, Sign, compare_along, in_sphere, normal_component, orientation, side_of_plane,
};
use num_bigint::BigInt;
use num_rational::Ratio;
use proptest::prelude::*;

type Rational = Ratio<BigInt>;
type Point = [Rational; 3];

fn rational(x: f64) -> Rational {
    Ratio::from_float(x).expect("finite")
}

fn point(v: Vec3) -> Point {
    v.to_array().map(rational)
}

fn minus(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|i| &p[i] - &q[i])
}

fn dot(p: &Point, q: &Point) -> Rational {
    (0..3).map(|i| &p[i] * &q[i]).sum()
}

fn sign_of(x: &Rational) -> Sign {
    let zero = rational(0.0);
    match x.cmp(&zero) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

/// The determinant by elimination, which shares nothing with the expansion by minors in the library.
fn determinant<const N: usize>(mut rows: [[Rational; N]; N]) -> Rational {
    let zero = rational(0.0);
    let mut product = rational(1.0);
    for i in 0..N {
        let Some(pivot) = (i..N).find(|r| rows[*r][i] != zero) else {
            return zero;
        };
        if pivot != i {
            rows.swap(pivot, i);
            product = -product;
        }
        product *= rows[i][i].clone();
        let pivot = rows[i].clone();
        for row in &mut rows[i + 1..] {
            let factor = &row[i] / &pivot[i];
            for (entry, above) in row.iter_mut().zip(&pivot) {
                *entry -= &factor * above;
            }
        }
    }
    product
}

/// Coordinates on a small grid, scaled and shifted: ties are common, and so are rounding-prone values.
fn grid_points(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
    let coordinate = -3i32..=3;
    let points = prop::collection::vec((coordinate.clone(), coordinate.clone(), coordinate), count);
    let scales = prop::sample::select(vec![
        1.0, 0.1, 1e-9, 1e9, 1e-60, 1e60, 1e-150, 1e150, 1e-290, 1e290,
    ]);
    let shift = prop::sample::select(vec![0.0, 0.1, 1e3, 1e15]);
    (points, scales, shift).prop_map(|(points, scale, shift)| {
        points
            .into_iter()
            .map(|(x, y, z)| (Vec3::new(x.into(), y.into(), z.into()) + shift) * scale)
            .collect()
    })
}

/// Any finite bit pattern at all.
fn wild_points(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
    let finite = any::<u64>().prop_map(|bits| {
        let x = f64::from_bits(bits);
        if x.is_finite() {
            x
        } else {
            f64::from_bits(bits & !(1 << 62))
        }
    });
    prop::collection::vec((finite.clone(), finite.clone(), finite), count).prop_map(|points| {
        points
            .into_iter()
            .map(|(x, y, z)| Vec3::new(x, y, z))
            .collect()
    })
}

fn points(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
    prop_oneof![6 => grid_points(count), 1 => wild_points(count)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn orientation_is_right(p in points(4)) {
        let q: Vec<Point> = p.iter().map(|v| point(*v)).collect();
        let expected = sign_of(&determinant([minus(&q[1], &q[0]), minus(&q[2], &q[0]), minus(&q[3], &q[0])]));
        prop_assert_eq!(orientation(p[0], p[1], p[2], p[3]), expected);
    }

    #[test]
    fn normal_components_are_right(p in points(3)) {
        let q: Vec<Point> = p.iter().map(|v| point(*v)).collect();
        for (i, axis) in Axis::ALL.into_iter().enumerate() {
            let mut unit = point(Vec3::ZERO);
            unit[i] = rational(1.0);
            let expected = sign_of(&determinant([minus(&q[1], &q[0]), minus(&q[2], &q[0]), unit]));
            prop_assert_eq!(normal_component(axis, p[0], p[1], p[2]), expected);
        }
    }

    #[test]
    fn in_sphere_is_right(p in points(5)) {
        let q: Vec<Point> = p.iter().map(|v| point(*v)).collect();
        let rows: [[Rational; 4]; 4] = std::array::from_fn(|i| {
            let [x, y, z] = minus(&q[i], &q[4]);
            let lift = &x * &x + &y * &y + &z * &z;
            [x, y, z, lift]
        });
        // Rows towards e: for a positively oriented tetrahedron the determinant is negative inside.
        let inside = sign_of(&-determinant(rows));
        prop_assert_eq!(in_sphere(p[0], p[1], p[2], p[3], p[4]), inside);
    }

    #[test]
    fn sides_and_comparisons_are_right(p in points(3)) {
        let q: Vec<Point> = p.iter().map(|v| point(*v)).collect();
        let along = sign_of(&dot(&q[0], &minus(&q[1], &q[2])));
        prop_assert_eq!(compare_along(p[0], p[1], p[2]), along);
        let side = sign_of(&(dot(&q[0], &q[1]) - rational(p[2].x)));
        prop_assert_eq!(side_of_plane(p[0], p[2].x, p[1]), side);
    }
}

#[test]
fn the_centre_of_a_tetrahedron_is_inside_its_sphere() {
    let [a, b, c, d] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    assert_eq!(orientation(a, b, c, d), Sign::Positive);
    assert_eq!(in_sphere(a, b, c, d, Vec3::splat(0.25)), Sign::Positive);
    assert_eq!(in_sphere(a, b, c, d, Vec3::ONE), Sign::Zero);
    assert_eq!(in_sphere(a, b, c, d, Vec3::splat(2.0)), Sign::Negative);
}
