-- compatible_from: 0.1.0
-- Sums of how far orders came, and of how their payments ended, kept by a worker for the figures of merchants and for sales. Both are
-- of the orders created in a quarter of an hour. Test orders do not count.

CREATE TABLE progress_sums (
  merchant_id uuid NOT NULL,
  -- Its beginning.
  quarter timestamptz NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  -- The orders created in it, and those of them that came so far. An order that came to a step counts in all steps before it.
  created bigint NOT NULL,
  opened bigint NOT NULL,
  method_chosen bigint NOT NULL,
  started bigint NOT NULL,
  -- Those whose payment was confirmed, whatever became of it; that were charged back; that are paid, and their invoices together.
  confirmed bigint NOT NULL,
  charged_back bigint NOT NULL,
  paid bigint NOT NULL,
  paid_minor numeric(40,0) NOT NULL,
  PRIMARY KEY (merchant_id, quarter, currency, currency_decimals)
) /* by merchant_id */;

-- The same orders by channel, and by how their last attempt there ended.
CREATE TABLE ending_sums (
  merchant_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  payment_no text NOT NULL,
  state text NOT NULL,
  -- Why the buyer was declined; empty if the provider said nothing.
  declined text NOT NULL,
  -- Whether the provider made a page for the last attempt.
  had_page boolean NOT NULL,
  orders bigint NOT NULL,
  -- Those of them that came to the provider's page.
  started bigint NOT NULL,
  PRIMARY KEY (merchant_id, quarter, payment_no, state, declined, had_page)
) /* by merchant_id */;

-- How far both sums of a merchant go, and the snapshot that they were made in.
CREATE TABLE progress_sum_marks (
  merchant_id uuid NOT NULL,
  kept_until timestamptz NOT NULL,
  snapshot text NOT NULL,
  -- The PostgreSQL server that counts its transactions.
  counted_by text NOT NULL,
  -- Quarters with an attempt that was under way in the snapshot: their sums count for nothing.
  open_quarters timestamptz[] NOT NULL,
  PRIMARY KEY (merchant_id)
) /* by merchant_id */;

COMMENT ON TABLE progress_sums IS 'by merchant_id';
COMMENT ON TABLE ending_sums IS 'by merchant_id';
COMMENT ON TABLE progress_sum_marks IS 'by merchant_id';
