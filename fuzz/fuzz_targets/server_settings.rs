//! The target `server_settings` for libFuzzer. The laws are in the library beside it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| touchmove_fuzz::server_settings::check(data));
