//! Ends of intervals as whole numbers, and sorting what is nearly sorted.
//!
//! An *endpoint* is one `u64`: from the top the value in an order-preserving form (32 bits), whether it is the upper end (1 bit),
//! and the body's index (31 bits). Comparing endpoints is comparing numbers. At equal values lower ends come first, so
//! that intervals that touch overlap, and then the smaller index, so that the order is one.

use super::Box32;

/// The bit of an endpoint that upper ends have.
pub(super) const UPPER: u64 = 1 << 31;

/// A number whose order is that of the finite floats, -0 just below 0.
#[inline]
pub(super) fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    // Negative numbers ascend as their bits descend.
    let flip = if bits >> 31 == 1 { u32::MAX } else { 1 << 31 };
    bits ^ flip
}

/// The lower end of a box on an axis.
#[inline]
pub(super) fn lower_end(bounds: &Box32, axis: usize, index: u32) -> u64 {
    u64::from(ordered(bounds.min[axis])) << 32 | u64::from(index)
}

/// The upper end of a box on an axis.
#[inline]
pub(super) fn upper_end(bounds: &Box32, axis: usize, index: u32) -> u64 {
    u64::from(ordered(bounds.max[axis])) << 32 | UPPER | u64::from(index)
}

/// The body that an endpoint belongs to.
#[inline]
pub(super) fn body_of(endpoint: u64) -> u32 {
    endpoint as u32 & !(UPPER as u32)
}

/// Whether the endpoint is an upper end.
#[inline]
pub(super) fn is_upper(endpoint: u64) -> bool {
    endpoint & UPPER != 0
}

/// Past so many exchanges a number, sorting anew is cheaper.
const PATIENCE: u64 = 16;

/// Sorts numbers of which most are where they belong, and tells how many exchanges it took; insertion sort, until it takes
/// too long.
pub(super) fn sort_nearly_sorted(numbers: &mut [u64]) -> u64 {
    let patience = PATIENCE * numbers.len() as u64;
    let mut swaps = 0;
    for place in 1..numbers.len() {
        let moving = numbers[place];
        let mut free = place;
        while free > 0 && numbers[free - 1] > moving {
            numbers[free] = numbers[free - 1];
            free -= 1;
        }
        numbers[free] = moving;
        swaps += (place - free) as u64;
        if swaps > patience {
            numbers.sort_unstable();
            break;
        }
    }
    swaps
}

/// Merges sorted numbers into a sorted list, from behind.
pub(super) fn merge_sorted(list: &mut Vec<u64>, new: &[u64]) {
    let mut old = list.len();
    list.resize(old + new.len(), 0);
    let mut free = list.len();
    for &number in new.iter().rev() {
        while old > 0 && list[old - 1] > number {
            free -= 1;
            old -= 1;
            list[free] = list[old];
        }
        free -= 1;
        list[free] = number;
    }
}

/// The axes, the one along which boxes are spread widest first: by the variance of their middles.
pub(super) fn axes_by_spread<'a>(boxes: impl Iterator<Item = &'a Box32>) -> [usize; 3] {
    let mut count = 0.0;
    let (mut mean, mut spread) = ([0.0; 3], [0.0; 3]);
    for bounds in boxes {
        count += 1.0;
        for axis in 0..3 {
            let middle = 0.5 * (f64::from(bounds.min[axis]) + f64::from(bounds.max[axis]));
            // Welford's update, which does not cancel far from the origin.
            let off = middle - mean[axis];
            mean[axis] += off / count;
            spread[axis] += off * (middle - mean[axis]);
        }
    }
    let mut axes = [0, 1, 2];
    axes.sort_by(|a: &usize, b| f64::total_cmp(&spread[*b], &spread[*a]));
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_the_numbers() {
        let numbers = [f32::MIN, -1.5, -1e-45, 0.0, 1e-45, 1.0, f32::MAX];
        assert!(numbers.map(ordered).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn lower_ends_come_first_where_intervals_touch() {
        let unit = |at: f32| Box32 {
            min: [at; 3],
            max: [at + 1.0; 3],
        };
        let (low, high) = (unit(0.0), unit(1.0));
        assert!(lower_end(&high, 0, 9) < upper_end(&low, 0, 3));
        assert_eq!(body_of(upper_end(&low, 0, 3)), 3);
        assert!(is_upper(upper_end(&low, 0, 3)) && !is_upper(lower_end(&low, 0, 3)));
    }

    #[test]
    fn sorted_lists_are_merged() {
        let mut list = vec![2, 4, 6];
        merge_sorted(&mut list, &[1, 4, 5, 9]);
        assert_eq!(list, [1, 2, 4, 4, 5, 6, 9]);
        merge_sorted(&mut list, &[]);
        assert_eq!(list.len(), 7);
    }

    #[test]
    fn any_order_is_sorted() {
        let mut numbers: Vec<u64> = (0..2000u64).map(|i| i * 7919 % 2003).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        assert!(sort_nearly_sorted(&mut numbers) > 0);
        assert_eq!(numbers, expected);
        numbers.swap(10, 11);
        assert_eq!(sort_nearly_sorted(&mut numbers), 1);
        assert_eq!(numbers, expected);
    }
}
