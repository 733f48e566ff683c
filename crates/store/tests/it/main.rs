//! The tests of the stores, as one program: a module for each subject.

#[cfg(feature = "postgres")]
mod backup;
mod crash_and_full_disk;
mod maintenance;
mod open_errors;
#[cfg(feature = "postgres")]
mod postgres;
mod shared_open;
mod support;
