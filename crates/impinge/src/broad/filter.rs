//! Which bodies may meet at all: groups and masks.
//!
//! A filter stands behind the broad phase: pairs are found by their boxes alone, and those that the filters of their two bodies
//! do not allow are left out before anyone looks closer.

/// The groups that a body is in, and those that it meets, a bit each.
///
/// ```
/// # use impinge::broad::Filter;
/// const WALL: u32 = 1;
/// const GHOST: u32 = 2;
/// let wall = Filter { groups: WALL, ..Filter::default() };
/// let ghost = Filter { groups: GHOST, mask: !WALL };
/// assert!(!ghost.allows(&wall) && !wall.allows(&ghost));
/// assert!(ghost.allows(&ghost) && wall.allows(&Filter::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The groups that the body is in.
    pub groups: u32,
    /// The groups that the body meets.
    pub mask: u32,
}

impl Filter {
    /// Whether two bodies may meet: each is in a group that the other meets. It does not matter who asks.
    #[inline]
    pub fn allows(&self, other: &Filter) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

impl Default for Filter {
    /// In all groups, meeting all groups.
    fn default() -> Filter {
        Filter {
            groups: u32::MAX,
            mask: u32::MAX,
        }
    }
}
