import type pg from 'pg';

/**
 * Has the database itself watch what must hold at every moment, and not only once all is over: credit is never drawn
 * beyond its line, and nothing is withdrawn by whoever owes (D-086). Run as its superuser.
 */
export async function watchRules(watch: pg.Client): Promise<void> {
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
  `);
}
