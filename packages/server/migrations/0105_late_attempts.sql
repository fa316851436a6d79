-- compatible_from: 0.1.0
-- Notes what changes how an attempt counts after it has ended, or while no worker looks at it. Others are found by their `check_at`. A
-- payment in PTK comes with the change of its order, and a new attempt finds its order pending: neither is noted.

CREATE TRIGGER payment_attempts_late_change BEFORE UPDATE ON payment_attempts
  FOR EACH ROW WHEN ((OLD.check_at IS NULL OR OLD.state NOT IN ('creating', 'open', 'unknown', 'processing'))
    AND (OLD.state <> NEW.state OR (OLD.session_id IS NULL) <> (NEW.session_id IS NULL)
      OR (OLD.paid_at IS NULL) <> (NEW.paid_at IS NULL) OR (OLD.check_at IS NULL AND NEW.check_at IS NOT NULL)
      OR OLD.detail ->> 'declined' IS DISTINCT FROM NEW.detail ->> 'declined'))
  EXECUTE FUNCTION note_late_change();
CREATE TRIGGER payment_attempts_late_insert BEFORE INSERT ON payment_attempts
  FOR EACH ROW WHEN (NEW.provider <> 'ptk' AND NEW.state <> 'creating') EXECUTE FUNCTION note_late_change();
