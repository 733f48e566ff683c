-- A store of version 3 with a little of everything; never changed.
PRAGMA application_id = 1953329014;
PRAGMA user_version = 3;

CREATE TABLE games (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    variant TEXT NOT NULL,
    source TEXT NOT NULL,
    public INTEGER NOT NULL,
    white_name TEXT,
    white_person TEXT,
    black_name TEXT,
    black_person TEXT,
    phase INTEGER NOT NULL,
    status TEXT NOT NULL,
    result TEXT,
    plies INTEGER NOT NULL,
    last_activity INTEGER NOT NULL
) STRICT;
CREATE INDEX games_by_phase ON games (phase, created, id);
CREATE INDEX games_by_variant ON games (variant, phase, created, id);
CREATE INDEX games_of_white ON games (white_person, phase, created, id) WHERE white_person IS NOT NULL;
CREATE INDEX games_of_black ON games (black_person, phase, created, id) WHERE black_person IS NOT NULL;

CREATE TABLE decisions (
    game INTEGER NOT NULL REFERENCES games (key),
    seq INTEGER NOT NULL,
    last INTEGER NOT NULL,
    mark BLOB NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games (key),
    seat INTEGER NOT NULL,
    person TEXT,
    guest BLOB, game_phase INTEGER NOT NULL DEFAULT 0, game_created INTEGER NOT NULL DEFAULT 0, game_id TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, seat),
    CHECK ((person IS NULL) <> (guest IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_of_person ON seats (person, seat, game_phase, game_created, game_id)
    WHERE person IS NOT NULL;
CREATE INDEX seats_of_guest ON seats (guest, seat, game_phase, game_created, game_id)
    WHERE guest IS NOT NULL;

CREATE TABLE due (
    game INTEGER PRIMARY KEY REFERENCES games (key),
    at INTEGER NOT NULL,
    leased_until INTEGER
) STRICT;
CREATE INDEX due_at ON due (at);

CREATE TABLE people (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL,
    password TEXT,
    created INTEGER NOT NULL,
    disabled INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL REFERENCES people (id),
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created INTEGER NOT NULL,
    last_used INTEGER,
    expires INTEGER,
    revoked INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_of_person ON tokens (person, created);

CREATE TABLE sessions (
    hash BLOB PRIMARY KEY NOT NULL,
    person TEXT,
    guest BLOB,
    name TEXT,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    CHECK ((person IS NULL) <> (guest IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (expires);
CREATE INDEX sessions_of_person ON sessions (person) WHERE person IS NOT NULL;

CREATE TABLE offers (
    id TEXT PRIMARY KEY NOT NULL,
    by_person TEXT,
    by_guest BLOB,
    name TEXT NOT NULL,
    to_person TEXT,
    terms TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    status INTEGER NOT NULL,
    game TEXT,
    reason TEXT,
    CHECK ((by_person IS NULL) <> (by_guest IS NULL)),
    CHECK ((status = 1) = (game IS NOT NULL)),
    CHECK ((status = 2) = (reason IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX open_seeks ON offers (created) WHERE status = 0 AND to_person IS NULL;
CREATE INDEX open_challenges_to ON offers (to_person, created) WHERE status = 0 AND to_person IS NOT NULL;
CREATE INDEX open_challenges_by ON offers (by_person, created) WHERE status = 0 AND to_person IS NOT NULL;
CREATE INDEX offers_by_age ON offers (created);

CREATE TABLE chat (
    game INTEGER NOT NULL REFERENCES games (key),
    room INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    person TEXT,
    text TEXT NOT NULL,
    PRIMARY KEY (game, room, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE revocations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    person TEXT,
    secret BLOB,
    CHECK ((person IS NULL) <> (secret IS NULL))
) STRICT;
CREATE INDEX revocations_by_age ON revocations (at);

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

CREATE TABLE server_keys (
    purpose TEXT PRIMARY KEY NOT NULL,
    bytes BLOB NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX games_aborted ON games (created) WHERE status = 'aborted';

ALTER TABLE decisions ADD COLUMN plies INTEGER;

INSERT INTO people VALUES ('0000Anna', 'Anna', 'anna', 0, '$argon2id$x', 1000, NULL);
INSERT INTO people VALUES ('00000Bot', 'Bot', 'bot', 1, NULL, 1001, 2000);
INSERT INTO tokens VALUES (x'0101010101010101010101010101010101010101010101010101010101010101', '0000Anna', 'my bot', 'bot:play', 1002, 1003, NULL, NULL);
INSERT INTO sessions VALUES (x'0202020202020202020202020202020202020202020202020202020202020202', '0000Anna', NULL, NULL, 1004, 9000);
INSERT INTO games VALUES (1, 'q7LmZx04', 1005, 'atomic', 'lobby', 1, 'Anna', '0000Anna', 'a guest', NULL, 1, 'started', NULL, 2, 1006);
INSERT INTO decisions VALUES (1, 0, 0, x'00000000000000000000000000000001', 'started', 0);
INSERT INTO decisions VALUES (1, 1, 2, x'00000000000000000000000000000002', 'seated' || char(10) || 'moved', 1);
INSERT INTO decisions VALUES (1, 3, 3, x'00000000000000000000000000000003', 'moved', 2);
INSERT INTO seats VALUES(1,0,'0000Anna',NULL,1,1005,'q7LmZx04');
INSERT INTO seats VALUES(1,1,NULL,X'0303030303030303030303030303030303030303030303030303030303030303',1,1005,'q7LmZx04');
INSERT INTO due VALUES (1, 61000, NULL);
INSERT INTO offers VALUES ('AbCdEfGh', '0000Anna', NULL, 'Anna', NULL, '{"time":"5+3"}', 1007, NULL, 0, NULL, NULL);
INSERT INTO offers VALUES ('AbCdEfGi', '0000Anna', NULL, 'Anna', '00000Bot', '{"time":"5+3"}', 1008, NULL, 2, NULL, 'later');
INSERT INTO chat VALUES (1, 0, 1, 1009, 'Anna', '0000Anna', 'good luck');
INSERT INTO heartbeat VALUES (1, 1010);
INSERT INTO revocations VALUES (1, 1011, '00000Bot', NULL);
INSERT INTO grants VALUES (x'0404040404040404040404040404040404040404040404040404040404040404', '0000Anna', 'a program', 'https://example.org/back', 'challenge', 'board:play', 1012, 2012, NULL, 0);
INSERT INTO server_keys VALUES ('cluster', x'0505050505050505050505050505050505050505050505050505050505050505', 1013);
