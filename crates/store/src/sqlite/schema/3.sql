-- Version 3.

-- Sessions, tokens and accounts whose rights have ended. Servers poll it to close open connections. Numbers
-- are never used again.
CREATE TABLE revocations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    person TEXT,
    secret BLOB,
    CHECK ((person IS NULL) <> (secret IS NULL))
) STRICT;
CREATE INDEX revocations_by_age ON revocations (at);

-- What people have allowed programs by OAuth. A used code is kept for a while: who brings it again is
-- found out, and the token that it gave is revoked.
CREATE TABLE grants (
    code BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL REFERENCES people (id),
    client TEXT NOT NULL,
    redirect TEXT NOT NULL,
    challenge TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    token BLOB,
    replayed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_end ON grants (expires);
CREATE INDEX grants_of_person ON grants (person);

-- Random keys of the server, by what they are for.
CREATE TABLE server_keys (
    purpose TEXT PRIMARY KEY NOT NULL,
    bytes BLOB NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Games that are deleted when they are old. A move changes no column of this index.
CREATE INDEX games_aborted ON games (created) WHERE status = 'aborted';

-- How many plies were played after a decision, written with it: lists show it without reading the game, and a move
-- costs no second write. Rows of older versions have none.
ALTER TABLE decisions ADD COLUMN plies INTEGER;
