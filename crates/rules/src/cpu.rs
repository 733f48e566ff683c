//! Detects once what the processor can do: the only module with `unsafe` code. What is built on it
//! (slider attacks, the generator, perft) is in safe code elsewhere.
//!
//! A [`SliderTask`] is work that is generic over the way slider attacks are looked up. [`dispatch`]
//! picks the best [`Processor`] for this machine and runs the task in a function compiled for it,
//! so that everything inlined into it uses its instructions, without a branch in any inner loop.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::attacks::sliders;

/// The instruction sets for which the library has its hot paths compiled.
///
/// ```
/// use touchmove_rules::Processor;
///
/// let chosen = Processor::current();
/// assert!(chosen <= Processor::best());
/// println!("the hot paths run as {}", chosen.name());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Processor {
    /// Only what every processor of this architecture has.
    Plain = 1,
    /// x86-64 with POPCNT.
    Popcnt = 2,
    /// x86-64 with BMI2 and a fast PEXT.
    Pext = 3,
}

impl Processor {
    /// All kinds, the most basic first.
    pub const ALL: [Processor; 3] = [Processor::Plain, Processor::Popcnt, Processor::Pext];

    /// The name as used on the command line: `plain`, `popcnt`, `pext`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Processor::Plain => "plain",
            Processor::Popcnt => "popcnt",
            Processor::Pext => "pext",
        }
    }

    /// The best kind this machine can run.
    #[must_use]
    pub fn best() -> Processor {
        #[cfg(target_arch = "x86_64")]
        {
            let popcnt = std::is_x86_feature_detected!("popcnt");
            let bmi = std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("lzcnt");
            if popcnt && bmi && !pext_is_slow() {
                return Processor::Pext;
            }
            if popcnt {
                return Processor::Popcnt;
            }
        }
        Processor::Plain
    }

    /// The kind in use.
    #[inline]
    #[must_use]
    pub fn current() -> Processor {
        match CURRENT_PROCESSOR.load(Ordering::Relaxed) {
            3 => Processor::Pext,
            2 => Processor::Popcnt,
            1 => Processor::Plain,
            _ => Processor::choose(Processor::Pext),
        }
    }

    /// Uses this kind from now on, or the best one this machine has if that is less. Returns the
    /// kind in use. For tests and benchmarks; otherwise the best one is chosen automatically.
    #[cold]
    pub fn choose(wanted: Processor) -> Processor {
        let chosen = wanted.min(Processor::best());
        CURRENT_PROCESSOR.store(chosen as u8, Ordering::Relaxed);
        chosen
    }
}

/// The kind in use; 0 before the first call.
static CURRENT_PROCESSOR: AtomicU8 = AtomicU8::new(0);

/// AMD's processors before Zen 3 (family 19h) have PEXT, but run it bit by bit.
#[cfg(target_arch = "x86_64")]
fn pext_is_slow() -> bool {
    use core::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163);
    let signature = __cpuid(1).eax;
    let family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
    is_amd && family < 0x19
}

/// Work that can be done with any [`Sliders`].
pub(crate) trait SliderTask {
    /// The result of the work.
    type Output;

    /// Does the work; implementations are `#[inline(always)]`.
    fn run<S: Sliders>(self) -> Self::Output;
}

/// Work on bitboards, to be run in code compiled for the processor in use.
///
/// ```
/// use touchmove_rules::{Bitboard, CpuTask, run_cpu_task};
///
/// struct Count(Bitboard);
///
/// impl CpuTask for Count {
///     type Output = usize;
///     #[inline(always)]
///     fn run(self) -> usize {
///         self.0.len()
///     }
/// }
///
/// assert_eq!(run_cpu_task(Count(Bitboard::BACK_RANKS)), 16);
/// ```
pub trait CpuTask {
    /// The result of the work.
    type Output;

    /// Does the work. Only inlined code uses the processor's instructions, so implementations are
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs a task with the best instructions of this machine.
#[inline(always)]
pub fn run_cpu_task<T: CpuTask>(task: T) -> T::Output {
    dispatch(TaskWithoutSliders(task))
}

/// A [`CpuTask`] as a [`SliderTask`] that looks up no slider attacks.
struct TaskWithoutSliders<T>(T);

impl<T: CpuTask> SliderTask for TaskWithoutSliders<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<S: Sliders>(self) -> T::Output {
        self.0.run()
    }
}

/// A way to look up slider attacks, and the kind of machine code that goes with it.
pub(crate) trait Sliders: Copy + 'static {
    /// The squares a rook attacks.
    fn rook(square: usize, occupied: u64) -> u64;
    /// The squares a bishop attacks.
    fn bishop(square: usize, occupied: u64) -> u64;
    /// Runs a task in a function of its own, compiled for the same processor: for recursion, where inlining ends.
    fn enter<W: SliderTask>(walk: W) -> W::Output;
}

/// Runs a task with the best code for this machine.
#[inline(always)]
pub(crate) fn dispatch<W: SliderTask>(walk: W) -> W::Output {
    match Processor::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `current` is `Pext` only where BMI1, BMI2, LZCNT and POPCNT were detected.
        Processor::Pext => unsafe { with_pext(walk) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `current` is `Popcnt` only where POPCNT was detected.
        Processor::Popcnt => unsafe { with_popcnt(walk) },
        _ => Plain::enter(walk),
    }
}

/// Slider attacks by multiplication, on any processor.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Sliders for Plain {
    #[inline(always)]
    fn rook(square: usize, occupied: u64) -> u64 {
        sliders::rook_by_magic(square, occupied)
    }
    #[inline(always)]
    fn bishop(square: usize, occupied: u64) -> u64 {
        sliders::bishop_by_magic(square, occupied)
    }
    #[inline(never)]
    fn enter<W: SliderTask>(walk: W) -> W::Output {
        walk.run::<Plain>()
    }
}

/// Slider attacks by multiplication, with POPCNT for the counting.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Popcnt;

#[cfg(target_arch = "x86_64")]
impl Sliders for Popcnt {
    #[inline(always)]
    fn rook(square: usize, occupied: u64) -> u64 {
        sliders::rook_by_magic(square, occupied)
    }
    #[inline(always)]
    fn bishop(square: usize, occupied: u64) -> u64 {
        sliders::bishop_by_magic(square, occupied)
    }
    #[inline(always)]
    fn enter<W: SliderTask>(walk: W) -> W::Output {
        // SAFETY: `Popcnt` is named only by `with_popcnt`, so POPCNT was detected.
        unsafe { with_popcnt(walk) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn with_popcnt<W: SliderTask>(walk: W) -> W::Output {
    walk.run::<Popcnt>()
}

/// Slider attacks by PEXT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Pext;

#[cfg(target_arch = "x86_64")]
impl Sliders for Pext {
    #[inline(always)]
    fn rook(square: usize, occupied: u64) -> u64 {
        sliders::rook_by_rank_of_subset(square, |mask| extract(occupied, mask))
    }
    #[inline(always)]
    fn bishop(square: usize, occupied: u64) -> u64 {
        sliders::bishop_by_rank_of_subset(square, |mask| extract(occupied, mask))
    }
    #[inline(always)]
    fn enter<W: SliderTask>(walk: W) -> W::Output {
        // SAFETY: `Pext` is named only by `with_pext`, so its features were detected.
        unsafe { with_pext(walk) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn with_pext<W: SliderTask>(walk: W) -> W::Output {
    walk.run::<Pext>()
}

/// The bits of `from` that `mask` selects, packed together (PEXT).
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn extract(from: u64, mask: u64) -> u64 {
    // SAFETY: called only by `Pext`, which is named only by `with_pext`: BMI2 was detected.
    unsafe { core::arch::x86_64::_pext_u64(from, mask) }
}

/// Prefetches memory that will be read soon, without waiting for it. Does nothing where the
/// processor has no such instruction.
///
/// ```
/// let table = vec![1_u64; 1024];
/// touchmove_rules::prefetch(&table[512]);
/// assert_eq!(table[512], 1);
/// ```
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch of any address has no effect but on caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Tells the compiler that a square's index is below 64, which saves bounds checks.
#[inline(always)]
pub(crate) const fn on_board(index: u8) -> u8 {
    // SAFETY: called only with the field of a `Square`, which no code can make 64 or more: it is
    // private to its module, and every constructor there checks or masks.
    unsafe { core::hint::assert_unchecked(index < 64) };
    index
}

/// An element of a table whose index is in bounds by the table's construction.
#[inline(always)]
pub(crate) fn entry<const N: usize>(table: &'static [u64; N], index: usize) -> u64 {
    debug_assert!(index < N);
    // SAFETY: called only by the slider look-ups. Their index is an offset plus a number below the
    // count of blocker subsets of that square, and the tables give every square that much room;
    // a test looks up every square with every subset.
    unsafe { *table.get_unchecked(index) }
}

/// A stack in an array, without allocation: items above `len` are not initialised.
#[derive(Clone, Copy)]
pub(crate) struct ArrayStack<T: Copy, const N: usize> {
    items: [MaybeUninit<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> ArrayStack<T, N> {
    /// An empty stack.
    #[inline(always)]
    pub const fn new() -> ArrayStack<T, N> {
        ArrayStack {
            items: [const { MaybeUninit::uninit() }; N],
            len: 0,
        }
    }

    /// Clears the stack, and returns a filler for the new items.
    #[inline(always)]
    pub const fn refill(&mut self) -> ArrayFiller<'_, T, N> {
        self.len = 0;
        ArrayFiller { pile: self, len: 0 }
    }

    /// Pushes an item.
    ///
    /// # Panics
    /// If there are already `N`.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items[self.len].write(item);
        self.len += 1;
    }

    /// Removes all items.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// The items, in the order in which they were pushed.
    #[inline(always)]
    pub const fn as_slice(&self) -> &[T] {
        // SAFETY: where `len` grows, in `push` and after a `ArrayFiller`, every item below it has been
        // written, within bounds; `MaybeUninit<T>` is laid out like `T`.
        unsafe { core::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }

    /// The items, mutable.
    #[inline(always)]
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `as_slice`.
        unsafe { core::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.len) }
    }
}

/// Fills an [`ArrayStack`] that was cleared: the count is kept in a register until the end.
pub(crate) struct ArrayFiller<'a, T: Copy, const N: usize> {
    pile: &'a mut ArrayStack<T, N>,
    len: usize,
}

impl<T: Copy, const N: usize> ArrayFiller<'_, T, N> {
    /// Pushes an item.
    ///
    /// # Panics
    /// If there are already `N`.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.pile.items[self.len].write(item);
        self.len += 1;
    }
}

impl<T: Copy, const N: usize> Drop for ArrayFiller<'_, T, N> {
    #[inline(always)]
    fn drop(&mut self) {
        self.pile.len = self.len;
    }
}
