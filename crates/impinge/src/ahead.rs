//! Reading ahead: asking for memory some time before it is needed.
//!
//! A processor looks some 250 instructions ahead, which is one pair of bodies or a few boxes; what it does not see it does not fetch, and
//! bodies that are near each other are anywhere in memory. A loop that knows what its later steps will read says so here. It is a hint:
//! nothing is read, nothing changes, and where a processor has no such instruction nothing is done.

use prefetch_index::prefetch_index;

/// Asks for the first line of an item of a list, if it has such an item.
#[inline(always)]
pub(crate) fn fetch_line<T>(list: &[T], index: usize) {
    prefetch_index(list, index);
}

/// Asks for an item of a list, if it has such an item, that is not larger than a line, but may lie on two; as far as the second cache.
///
/// A processor has some twenty requests of its nearest cache under way at most, and twice as many of the next one. A loop that does little else
/// than read from anywhere has all of the former under way all the time, and is through sooner if it asks for the latter, well ahead.
#[inline(always)]
pub(crate) fn fetch_far<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    for item in [list.get(index), list.get(index.wrapping_add(1))]
        .into_iter()
        .flatten()
    {
        safe_arch::prefetch_t1(item);
    }
    #[cfg(not(target_arch = "x86_64"))]
    fetch(list, index);
}

/// Asks for the first line of something.
#[inline(always)]
pub(crate) fn fetch_start<T>(item: &T) {
    prefetch_index(std::slice::from_ref(item), 0);
}

/// Asks for an item of a list that is not larger than a line, but may lie on two.
#[inline(always)]
pub(crate) fn fetch<T>(list: &[T], index: usize) {
    prefetch_index(list, index);
    // Where the next one begins, this one ends.
    prefetch_index(list, index.wrapping_add(1));
}
