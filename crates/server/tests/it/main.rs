//! The server's integration tests in one binary: a module for each subject.

mod arbiter;
mod auth;
mod bot_accounts;
mod clocks;
mod cluster;
mod cluster_messages;
mod game_lists;
mod games;
mod identity;
mod lichess;
mod limits;
mod live_protocol;
mod lobby;
mod long_games;
mod openapi;
mod outages;
mod request_cost;
mod requests;
mod revocation;
mod seats;
mod support;
mod throttling;
mod web;
