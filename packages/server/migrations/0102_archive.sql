-- compatible_from: 0.1.0
-- The archive of closed orders: their events and unused quotes leave for files, and these tables say which, and where.

-- A batch of orders of one merchant whose rows left in one transaction. An entry of the audit log repeats each batch with a
-- digest over its rows here, and is sealed. Append-only, as the two tables below.
CREATE TABLE archive_batches (
  merchant_id uuid NOT NULL,
  -- Counts from 1 without gaps.
  batch_no bigint NOT NULL,
  -- The file's name in the folder of the archive, and the SHA-256 of its bytes.
  file text NOT NULL,
  sha256 bytea NOT NULL,
  orders integer NOT NULL,
  -- Between which orders and seals the rows of the batch are found.
  first_order text NOT NULL,
  last_order text NOT NULL,
  first_seal bigint NOT NULL,
  last_seal bigint NOT NULL,
  archived_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, batch_no)
) /* by merchant_id */;
COMMENT ON TABLE archive_batches IS 'by merchant_id';

-- An order whose events and unused quotes are in a file.
CREATE TABLE archived_orders (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  batch_no bigint NOT NULL,
  -- What is needed to write its events again, in the order of their versions from 1: for each its id, its time in
  -- milliseconds since 1970, status, payment_no, test_mode, attempts and the last HTTP status.
  events jsonb NOT NULL,
  -- Whether it was paid when its rows left.
  confirmed boolean NOT NULL,
  -- SHA-256 of what its events said of the order, and of what else never changes.
  order_digest bytea NOT NULL,
  PRIMARY KEY (merchant_id, order_no)
) /* by merchant_id */;
COMMENT ON TABLE archived_orders IS 'by merchant_id';

-- The lines of a seal whose rows have left with a batch: a bit for each line of the seal.
CREATE TABLE archived_seal_lines (
  merchant_id uuid NOT NULL,
  seal_no bigint NOT NULL,
  batch_no bigint NOT NULL,
  lines bit varying NOT NULL,
  PRIMARY KEY (merchant_id, seal_no, batch_no)
) /* by merchant_id */;
COMMENT ON TABLE archived_seal_lines IS 'by merchant_id';

CREATE TRIGGER archive_batches_append_only BEFORE UPDATE OR DELETE ON archive_batches
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_orders_append_only BEFORE UPDATE OR DELETE ON archived_orders
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_seal_lines_append_only BEFORE UPDATE OR DELETE ON archived_seal_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archive_batches_no_truncate BEFORE TRUNCATE ON archive_batches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_orders_no_truncate BEFORE TRUNCATE ON archived_orders
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_seal_lines_no_truncate BEFORE TRUNCATE ON archived_seal_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
SELECT protect_partitions();
