-- compatible_from: 0.1.0
-- Sums of orders for the consoles, kept by a worker. An order that changes after it has ended, or that begins ended, leaves the
-- number of its transaction, whichever release changes it: so the worker finds which sums to make anew.

-- A merchant's orders by quarters of an hour, the smallest step between time zones. Test orders do not count.
CREATE TABLE order_sums (
  merchant_id uuid NOT NULL,
  -- Its beginning.
  quarter timestamptz NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  -- The orders created in it, and those of them that are paid.
  created bigint NOT NULL,
  created_paid bigint NOT NULL,
  -- The orders whose payment occurred in it and that are paid, and their invoices together.
  paid bigint NOT NULL,
  paid_minor numeric(40,0) NOT NULL,
  PRIMARY KEY (merchant_id, quarter, currency, currency_decimals)
) /* by merchant_id */;

-- How far the sums of a merchant go, and the snapshot that they were made in.
CREATE TABLE order_sum_marks (
  merchant_id uuid NOT NULL,
  kept_until timestamptz NOT NULL,
  snapshot text NOT NULL,
  -- The PostgreSQL server that counts its transactions.
  counted_by text NOT NULL,
  PRIMARY KEY (merchant_id)
) /* by merchant_id */;

COMMENT ON TABLE order_sums IS 'by merchant_id';
COMMENT ON TABLE order_sum_marks IS 'by merchant_id';

ALTER TABLE collection_orders ADD COLUMN changed_xact bigint;

CREATE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xact := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER collection_orders_late_change BEFORE UPDATE ON collection_orders
  FOR EACH ROW WHEN (OLD.status <> 'pending' OR NEW.occurred_at < NEW.created_at) EXECUTE FUNCTION note_late_change();
CREATE TRIGGER collection_orders_late_insert BEFORE INSERT ON collection_orders
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION note_late_change();
