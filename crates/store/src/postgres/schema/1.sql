-- Version 1: everything. A version that people have is never edited: what comes later is 2.sql.
-- Ids are compared by their bytes, whatever the language of the database is.

-- What lists show of a game. Texts of games are elsewhere, so that many of these rows share a page.
-- Games have small numbers of their own (key): rows of games that are played now lie close together, in
-- tables and in indexes. There is space on every page for the newest state of each row, so that a move
-- touches no index.
CREATE TABLE games (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created bigint NOT NULL,
    last_activity bigint NOT NULL,
    plies bigint NOT NULL,
    phase smallint NOT NULL,
    public boolean NOT NULL,
    id text COLLATE "C" NOT NULL UNIQUE,
    variant text COLLATE "C" NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    result text,
    white_name text,
    white_person text COLLATE "C",
    black_name text,
    black_person text COLLATE "C"
) WITH (fillfactor = 75);
CREATE INDEX games_by_phase ON games (phase, created, id);
CREATE INDEX games_by_variant ON games (variant, phase, created, id);
CREATE INDEX games_of_white ON games (white_person, phase, created, id) WHERE white_person IS NOT NULL;
CREATE INDEX games_of_black ON games (black_person, phase, created, id) WHERE black_person IS NOT NULL;

-- The opening is number 0. The numbers are the only version of a game that there is. A row is written by
-- somebody who holds the lock of its game, which is never deleted: a foreign key would ask again.
CREATE TABLE decisions (
    game bigint NOT NULL,
    seq bigint NOT NULL,
    last bigint NOT NULL,
    mark bytea NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (game, seq)
);

-- What walks down the lists of a holder need of a game is repeated beside its seats; of these only the
-- phase ever changes.
CREATE TABLE seats (
    game bigint NOT NULL REFERENCES games (key),
    game_created bigint NOT NULL,
    game_phase smallint NOT NULL,
    seat smallint NOT NULL,
    game_id text COLLATE "C" NOT NULL,
    person text COLLATE "C",
    guest bytea,
    PRIMARY KEY (game, seat),
    CHECK ((person IS NULL) <> (guest IS NULL))
);
CREATE INDEX seats_of_person ON seats (person, seat, game_phase, game_created, game_id)
    WHERE person IS NOT NULL;
CREATE INDEX seats_of_guest ON seats (guest, seat, game_phase, game_created, game_id)
    WHERE guest IS NOT NULL;

CREATE TABLE due (
    game bigint PRIMARY KEY REFERENCES games (key),
    at bigint NOT NULL,
    leased_until bigint
) WITH (fillfactor = 75);
CREATE INDEX due_at ON due (at, game);

CREATE TABLE people (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    skeleton text COLLATE "C" NOT NULL UNIQUE,
    kind smallint NOT NULL,
    password text,
    created bigint NOT NULL,
    disabled bigint
);

CREATE TABLE tokens (
    hash bytea PRIMARY KEY,
    person text COLLATE "C" NOT NULL REFERENCES people (id),
    label text NOT NULL,
    scopes text NOT NULL,
    created bigint NOT NULL,
    last_used bigint,
    expires bigint,
    revoked bigint
);
CREATE INDEX tokens_of_person ON tokens (person, created);

CREATE TABLE sessions (
    hash bytea PRIMARY KEY,
    person text COLLATE "C",
    guest bytea,
    name text,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    CHECK ((person IS NULL) <> (guest IS NULL))
);
CREATE INDEX sessions_by_end ON sessions (expires);
CREATE INDEX sessions_of_person ON sessions (person) WHERE person IS NOT NULL;

CREATE TABLE offers (
    id text COLLATE "C" PRIMARY KEY,
    by_person text COLLATE "C",
    by_guest bytea,
    name text NOT NULL,
    to_person text COLLATE "C",
    terms text NOT NULL,
    created bigint NOT NULL,
    expires bigint,
    status smallint NOT NULL,
    game text COLLATE "C",
    reason text,
    CHECK ((by_person IS NULL) <> (by_guest IS NULL)),
    CHECK ((status = 1) = (game IS NOT NULL)),
    CHECK ((status = 2) = (reason IS NOT NULL))
);
CREATE INDEX open_seeks ON offers (created, id) WHERE status = 0 AND to_person IS NULL;
CREATE INDEX open_challenges_to ON offers (to_person, created, id)
    WHERE status = 0 AND to_person IS NOT NULL;
CREATE INDEX open_challenges_by ON offers (by_person, created, id)
    WHERE status = 0 AND to_person IS NOT NULL;
CREATE INDEX offers_by_age ON offers (created);

CREATE TABLE chat (
    game bigint NOT NULL REFERENCES games (key),
    room smallint NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    name text NOT NULL,
    person text COLLATE "C",
    text text NOT NULL,
    PRIMARY KEY (game, room, number)
);

-- One row from the beginning: so a sign of life is one write, and knows the one before.
CREATE TABLE heartbeat (
    one smallint PRIMARY KEY CHECK (one = 1),
    at bigint,
    before bigint
);
INSERT INTO heartbeat (one) VALUES (1);

-- The times in which no node gave a sign of life: written with the beat that ends one.
CREATE TABLE silences (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    since bigint NOT NULL,
    until bigint NOT NULL
);
