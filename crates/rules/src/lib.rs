//! The rules of chess, Chess960, Atomic and simple Atomic.
