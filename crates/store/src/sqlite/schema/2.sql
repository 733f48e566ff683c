-- Version 2: the games of whoever holds a seat, guests included, are found by walks down an index.
-- What the walks need of a game is repeated beside its seats; of these only the phase ever changes.
ALTER TABLE seats ADD COLUMN game_phase INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN game_created INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN game_id TEXT NOT NULL DEFAULT '';
UPDATE seats SET (game_phase, game_created, game_id) =
    (SELECT phase, created, id FROM games WHERE key = seats.game);
CREATE INDEX seats_of_person ON seats (person, seat, game_phase, game_created, game_id)
    WHERE person IS NOT NULL;
CREATE INDEX seats_of_guest ON seats (guest, seat, game_phase, game_created, game_id)
    WHERE guest IS NOT NULL;
