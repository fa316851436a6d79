-- Seals: signed hashes over facts that are only ever added, so that a later change of one is found (docs/seals.md).

-- The seals of each chain: one chain for every merchant, and one for the platform, whose seals also cover the seals of the
-- merchants. Append-only.
CREATE TABLE seals (
  merchant_id uuid NOT NULL,
  -- Counts from 1 without gaps.
  seal_no bigint NOT NULL,
  sealed_at timestamptz NOT NULL,
  -- The hash of the seal before it; 32 zero bytes in the first one.
  previous bytea NOT NULL,
  -- One line for each sealed row: its hash, its kind and its key.
  entries text NOT NULL,
  entry_count integer NOT NULL,
  hash bytea NOT NULL,
  key_id text NOT NULL,
  signature bytea NOT NULL,
  PRIMARY KEY (merchant_id, seal_no),
  CONSTRAINT seals_numbered CHECK (seal_no > 0 AND entry_count > 0)
) /* by merchant_id */;
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE ON seals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The public keys of all seals. A key that is no longer in use is signed by its successor.
CREATE TABLE seal_keys (
  key_id text PRIMARY KEY,
  public_key bytea NOT NULL,
  first_used_at timestamptz NOT NULL,
  endorsed_by text,
  endorsement bytea,
  CONSTRAINT seal_keys_endorsed CHECK ((endorsed_by IS NULL) = (endorsement IS NULL))
);

-- How far sealing has come; one row, which a worker locks while it seals.
CREATE TABLE seal_marks (
  singleton boolean PRIMARY KEY CHECK (singleton),
  -- The rows of all transactions below this one are sealed.
  sealed_below bigint NOT NULL,
  -- The PostgreSQL cluster that counts these transactions; null before the first pass.
  cluster text,
  -- The transactions that are being sealed in several passes: up to where, and after which row. Null between windows.
  window_to bigint,
  -- Whether the window looks for every row without a seal, because the database was restored elsewhere.
  searches_all boolean NOT NULL,
  after_kind text,
  after_key text,
  passed_at timestamptz
);
INSERT INTO seal_marks (singleton, sealed_below, searches_all) VALUES (true, 0, false);

-- Up to which seal of the platform the heads were sent, for each place that they are sent to.
CREATE TABLE seal_sinks (
  sink text PRIMARY KEY,
  seal_no bigint NOT NULL
);

-- The transaction that wrote a row. All transactions below the oldest one that runs have ended, so no row can appear
-- there later. The default is evaluated once for existing rows: they all get the transaction of this migration.
ALTER TABLE ledger_transfers ADD COLUMN sealed_xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
ALTER TABLE notifications ADD COLUMN sealed_xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
ALTER TABLE payment_quotes ADD COLUMN sealed_xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
ALTER TABLE audit_log ADD COLUMN sealed_xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
CREATE INDEX ledger_transfers_to_seal ON ledger_transfers
  USING brin (sealed_xact) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX notifications_to_seal ON notifications
  USING brin (sealed_xact) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX payment_quotes_to_seal ON payment_quotes
  USING brin (sealed_xact) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX audit_log_to_seal ON audit_log USING brin (sealed_xact) WITH (pages_per_range = 32, autosummarize = on);

-- Decisions become final: a row gets its transaction when it is decided.
ALTER TABLE withdrawals ADD COLUMN sealed_xact bigint DEFAULT (pg_current_xact_id()::text::bigint);
ALTER TABLE payment_cases ADD COLUMN sealed_xact bigint DEFAULT (pg_current_xact_id()::text::bigint);

CREATE FUNCTION mark_withdrawal_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.decided_at IS NULL AND NEW.decided_at IS NOT NULL THEN
    NEW.sealed_xact := pg_current_xact_id()::text::bigint;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawals_decided_xact BEFORE UPDATE ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION mark_withdrawal_decided();

CREATE FUNCTION mark_case_resolved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL THEN
    NEW.sealed_xact := pg_current_xact_id()::text::bigint;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_cases_resolved_xact BEFORE UPDATE ON payment_cases
  FOR EACH ROW EXECUTE FUNCTION mark_case_resolved();
