-- compatible_from: 0.1.0
-- Sums of the balances of all merchants and people, kept by a worker: the administration sees what is owed without adding them up.

CREATE TABLE owed_sums (
  -- Such as m:held, or user for the wallets of all people.
  account text PRIMARY KEY,
  balance numeric(40,0) NOT NULL
);

-- The snapshot that the sums were made in, and the PostgreSQL server that counts its transactions; one row, locked while sums
-- are added. Null while no sums are kept. The previous release knows nothing of these sums, so they have a mark of their own.
CREATE TABLE owed_sum_marks (
  singleton boolean PRIMARY KEY CHECK (singleton),
  snapshot text,
  counted_by text
);
INSERT INTO owed_sum_marks (singleton) VALUES (true);

COMMENT ON TABLE owed_sums IS 'on every node';
COMMENT ON TABLE owed_sum_marks IS 'on every node';
