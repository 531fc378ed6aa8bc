//! Typed indices.

/// Declares newtypes over `u32` that index one kind of thing each.
///
/// ```
/// dwell_base::ids! {
///     /// Names an apple.
///     AppleId;
/// }
/// let a = AppleId::new(3);
/// assert_eq!(a.index(), 3);
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th thing. Panics above `u32::MAX`.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than u32::MAX things of one kind"))
            }

            /// The position of the thing.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
