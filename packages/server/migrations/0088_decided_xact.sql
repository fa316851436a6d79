-- compatible_from: 0.1.0
-- A decision names its transaction itself. On a distributed database the trigger runs on the server of the row, which counts
-- transactions by itself; the trigger stays for statements of the release before.

CREATE OR REPLACE FUNCTION mark_withdrawal_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.decided_at IS NULL AND NEW.decided_at IS NOT NULL AND NEW.sealed_xact IS NOT DISTINCT FROM OLD.sealed_xact THEN
    NEW.sealed_xact := pg_current_xact_id()::text::bigint;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION mark_case_resolved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL AND NEW.sealed_xact IS NOT DISTINCT FROM OLD.sealed_xact THEN
    NEW.sealed_xact := pg_current_xact_id()::text::bigint;
  END IF;
  RETURN NEW;
END $$;
