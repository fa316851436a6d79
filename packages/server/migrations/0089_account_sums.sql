-- compatible_from: 0.1.0
-- Sums of accounts without a stored balance, kept by a worker: the administration lists them without adding up a whole book.

CREATE TABLE account_sums (
  -- A merchant, or the platform.
  book uuid NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  -- Credits less debits.
  balance numeric(40,0) NOT NULL,
  PRIMARY KEY (book, account, currency)
);

-- The snapshot that the sums were made in, and the PostgreSQL server that counts its transactions; one row, locked while sums
-- are added. Null while no sums are kept.
CREATE TABLE account_sum_marks (
  singleton boolean PRIMARY KEY CHECK (singleton),
  snapshot text,
  counted_by text
);
INSERT INTO account_sum_marks (singleton) VALUES (true);

COMMENT ON TABLE account_sums IS 'on every node';
COMMENT ON TABLE account_sum_marks IS 'on every node';
