-- Version 2.

-- Sessions, tokens and accounts whose rights have ended. Servers poll it to close open connections.
CREATE TABLE revocations (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    person text COLLATE "C",
    secret bytea,
    CHECK ((person IS NULL) <> (secret IS NULL))
);
CREATE INDEX revocations_by_age ON revocations (at);

-- What people have allowed programs by OAuth. A used code is kept for a while: who brings it again is
-- found out, and the token that it gave is revoked.
CREATE TABLE grants (
    code bytea PRIMARY KEY,
    person text COLLATE "C" NOT NULL REFERENCES people (id),
    client text NOT NULL,
    redirect text NOT NULL,
    challenge text NOT NULL,
    scopes text NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    token bytea,
    replayed boolean NOT NULL DEFAULT false
);
CREATE INDEX grants_by_end ON grants (expires);
CREATE INDEX grants_of_person ON grants (person);

-- Random keys of the server, by what they are for.
CREATE TABLE server_keys (
    purpose text COLLATE "C" PRIMARY KEY,
    bytes bytea NOT NULL,
    created bigint NOT NULL
);

-- Games that are deleted when they are old. A move changes no column of this index.
CREATE INDEX games_aborted ON games (created) WHERE status = 'aborted';

-- How many plies were played after a decision, written with it: lists show it without reading the game, and a move
-- costs no second write. Rows of older versions have none.
ALTER TABLE decisions ADD COLUMN plies integer;
