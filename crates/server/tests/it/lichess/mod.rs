//! The tests of Lichess's API, as its clients use it: a module for each part.

mod accounts_challenges;
mod errors;
mod exports_users_tv;
mod games;
mod terms;
mod time;
