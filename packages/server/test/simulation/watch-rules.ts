import type pg from 'pg';

/**
 * Has the database itself watch what must hold at every moment, and not only once all is over: credit is never drawn
 * beyond its line, a merchant with debts withdraws nothing (D-086), nothing is refunded of which people have
 * booked a part as lost, nor the other way round (D-077), and what has ended stays as it ended: a case, a refund, a
 * complaint, a hold. And has it remember what may be mended later: each attempt that was held to have no session. Run as
 * its superuser.
 */
export async function watchRules(watch: pg.Client): Promise<void> {
  // A case that is reported again is written as it is, which changes nothing.
  await watch.query(`
    CREATE FUNCTION watch_credit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.balance > (SELECT credit_limit_ptk FROM merchants WHERE merchant_id = NEW.merchant_id) THEN
        RAISE EXCEPTION 'more credit is drawn than there is';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_credit AFTER INSERT OR UPDATE ON ledger_balances
      FOR EACH ROW WHEN (NEW.account = 'm:credit_drawn') EXECUTE FUNCTION watch_credit();

    CREATE FUNCTION watch_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM ledger_balances
          WHERE merchant_id = NEW.merchant_id AND account = 'm:recovery' AND balance > 0) THEN
        RAISE EXCEPTION 'money is withdrawn that is owed';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_withdrawal AFTER INSERT ON ledger_transfers
      FOR EACH ROW WHEN (NEW.posting IN ('P13', 'P13s')) EXECUTE FUNCTION watch_withdrawal();

    CREATE FUNCTION watch_request() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM payment_complaints WHERE merchant_id = NEW.merchant_id AND order_no = NEW.order_no
          AND status = 'confirmed' AND loss_amount > 0) THEN
        RAISE EXCEPTION 'a refund is requested of what is lost in part';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_request AFTER INSERT ON payment_refunds
      FOR EACH ROW WHEN (NEW.detail IN ('requested', 'in the wallet')) EXECUTE FUNCTION watch_request();

    CREATE FUNCTION watch_loss() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM payment_refunds WHERE merchant_id = NEW.merchant_id AND order_no = NEW.order_no
          AND ended_at IS NULL) THEN
        RAISE EXCEPTION 'a loss is confirmed of what is being refunded';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_loss AFTER UPDATE ON payment_complaints
      FOR EACH ROW WHEN (NEW.status = 'confirmed' AND NEW.dispute_id IS NULL) EXECUTE FUNCTION watch_loss();

    CREATE FUNCTION watch_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what had ended in % is changed', TG_TABLE_NAME;
    END $$;
    CREATE TRIGGER watch_case BEFORE UPDATE ON payment_cases
      FOR EACH ROW WHEN (OLD.state = 'resolved' AND OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION watch_end();
    CREATE TRIGGER watch_refund BEFORE UPDATE ON payment_refunds
      FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION watch_end();
    CREATE TRIGGER watch_complaint BEFORE UPDATE ON payment_complaints
      FOR EACH ROW WHEN (OLD.status IN ('confirmed', 'closed')) EXECUTE FUNCTION watch_end();
    CREATE TRIGGER watch_hold BEFORE UPDATE ON payment_holds
      FOR EACH ROW WHEN (OLD.released_at IS NOT NULL) EXECUTE FUNCTION watch_end();

    CREATE TABLE watched_absences (attempt_id text NOT NULL, closed_at timestamptz NOT NULL);
    CREATE FUNCTION watch_absence() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO watched_absences VALUES (NEW.attempt_id, NEW.closed_at);
      RETURN NULL;
    END $$;
    CREATE TRIGGER watch_absence AFTER UPDATE ON payment_attempts
      FOR EACH ROW WHEN (NEW.state = 'absent' AND OLD.state <> 'absent') EXECUTE FUNCTION watch_absence();
  `);
}
