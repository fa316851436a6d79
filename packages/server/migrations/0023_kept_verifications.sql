-- What a check of the books leaves behind, so that the next one looks only at what is new (docs/ledger.md).

-- The kind of each check, and how long it took.
ALTER TABLE ledger_verifications ADD COLUMN kind text NOT NULL DEFAULT 'full';
ALTER TABLE ledger_verifications ADD COLUMN duration_ms integer NOT NULL DEFAULT 0;
ALTER TABLE ledger_verifications ADD CONSTRAINT ledger_verifications_kind CHECK (kind IN ('full', 'incremental'));

-- Where the last kept check stood; one row, locked while a result is stored.
CREATE TABLE ledger_verification_marks (
  singleton boolean PRIMARY KEY CHECK (singleton),
  -- Counts the kept checks, so that a check notices that another one has ended meanwhile.
  version bigint NOT NULL,
  -- What its snapshot showed: rows of transactions that were not visible in it are new. Null before the first check.
  snapshot text,
  -- The PostgreSQL cluster that counts these transactions.
  cluster text,
  -- The last seal of the platform that it verified, with its hash, and the transactions that seals covered then.
  seal_no bigint NOT NULL,
  seal_hash text,
  sealed_below bigint NOT NULL,
  -- When a worker's checks began, by the service's clock.
  checked_at timestamptz,
  full_at timestamptz
);
INSERT INTO ledger_verification_marks (singleton, version, seal_no, sealed_below) VALUES (true, 0, 0, 0);

-- The process whose worker checks now, and until when, by real time; one row.
CREATE TABLE ledger_verification_leases (
  singleton boolean PRIMARY KEY CHECK (singleton),
  lease_id text,
  lease_until timestamptz
);
INSERT INTO ledger_verification_leases (singleton) VALUES (true);

-- The findings that stand: the last check that looked at their subject found them.
CREATE TABLE ledger_findings (
  finding_no integer PRIMARY KEY,
  kind text NOT NULL,
  -- A merchant's number or `platform`; null for a person's wallet.
  book text,
  subject text NOT NULL,
  words text NOT NULL,
  found_at timestamptz NOT NULL
);

-- Balances by their transfers, as of the last kept check. A check adds the new transfers and compares the sum with the
-- stored balance, so it need not add up all transfers of a busy merchant or person.
CREATE TABLE ledger_checkpoints (
  owner uuid NOT NULL,
  account text NOT NULL,
  balance numeric(40,0) NOT NULL,
  PRIMARY KEY (owner, account)
);

CREATE INDEX withdrawals_to_seal ON withdrawals (sealed_xact);
CREATE INDEX payment_cases_to_seal ON payment_cases (sealed_xact);
