//! The tests of the terminal interface in one binary: a module for each subject.

mod annotate;
mod board_images;
mod computer;
mod defects_of_others;
mod docs_screenshots;
mod either_side;
mod game_flow;
mod game_list;
mod json_mode;
mod keys;
mod network;
mod piece_contrast;
mod plain;
mod saving;
mod screens;
mod support;
