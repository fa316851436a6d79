-- compatible_from: 0.1.0
-- What was compared with the card providers, and when: each run of one channel, with what was missing on either side.

CREATE TABLE provider_reconciliations (
  reconciliation_id text PRIMARY KEY,
  payment_no text NOT NULL,
  -- worker, command, or after-restore.
  run_by text NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  ran_at timestamptz NOT NULL,
  -- What the provider has of that time.
  sessions integer NOT NULL,
  payments integer NOT NULL,
  events integer NOT NULL,
  -- Each thing that one side lacks.
  differences jsonb NOT NULL,
  -- Why the provider could not be read; empty if it could.
  failure text
);
CREATE INDEX provider_reconciliations_by_channel ON provider_reconciliations (payment_no, reconciliation_id);

-- The nightly run of each channel: one process makes it, and another one takes it over if that process dies.
CREATE TABLE provider_reconciliation_nights (
  payment_no text PRIMARY KEY,
  night timestamptz NOT NULL,
  lease_until timestamptz NOT NULL,
  done boolean NOT NULL
);
