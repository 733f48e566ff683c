//! The routes of the program under attack, as it lists them itself: a new route is attacked without anybody
//! remembering it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

/// A method and a path with places to fill, as `/v1/tables/{id}`.
#[derive(Clone, Debug)]
pub struct Route {
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
}

impl Route {
    /// The path with a text in each of its places.
    pub fn filled(&self, mut with: impl FnMut(&str) -> String) -> String {
        let mut path = String::new();
        let mut rest = self.path.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            path += before;
            path += &with(name);
            rest = after;
        }
        path + rest
    }

    /// Whether its answer goes on for as long as the client stays.
    pub fn is_stream(&self) -> bool {
        self.path.contains("stream") || self.path.ends_with("/feed") || self.path.ends_with("/live")
    }
}

/// Asks the program for its routes, or reads them from a file.
pub fn read(program: &Path, file: Option<&Path>) -> anyhow::Result<Vec<Route>> {
    let text = match file {
        Some(file) => std::fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?,
        None => {
            let run = Command::new(program).args(["serve", "--routes"]).output();
            let run = run.with_context(|| format!("{} does not start", program.display()))?;
            if !run.status.success() {
                bail!("`serve --routes` failed: give the routes with --routes FILE");
            }
            String::from_utf8(run.stdout)?
        }
    };
    let routes: Vec<Route> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(method, path)| Route {
            method: method.to_owned(),
            path: path.to_owned(),
        })
        .collect();
    if routes.len() < 50 {
        bail!("only {} routes are listed", routes.len());
    }
    Ok(routes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_a_path_is_filled() {
        let route = Route {
            method: "POST".to_owned(),
            path: "/api/bot/game/{id}/move/{move}".to_owned(),
        };
        let path = route.filled(|name| name.to_uppercase());
        assert_eq!(path, "/api/bot/game/ID/move/MOVE");
    }
}
