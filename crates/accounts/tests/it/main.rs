//! The tests of accounts, as one program.

mod accounts;
