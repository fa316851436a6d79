-- compatible_from: 0.2.0
-- Receivers of notifications that fail are noticed at the second failure in a row, and their merchants are told.

-- One row for each receiver that has failed: kept while it fails, and counted from anew after a success.
CREATE TABLE failing_receivers (
  merchant_id uuid NOT NULL,
  -- The address without its query, which may differ from order to order.
  endpoint text NOT NULL,
  -- Host and port: what people outside of the merchant see.
  destination text NOT NULL,
  -- Failed attempts in a row; 0 after a success.
  failures integer NOT NULL,
  failing_since timestamptz,
  last_failure_at timestamptz,
  last_http_status smallint,
  last_error text,
  PRIMARY KEY (merchant_id, endpoint)
) /* by merchant_id */;

ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind;
ALTER TABLE account_notices ADD CONSTRAINT account_notices_kind CHECK (kind IN (
  'password_changed', 'new_device', 'factor_added', 'factor_removed', 'role_given', 'secret_changed', 'owner_added',
  'receiver_failing', 'receiver_recovered')) NOT VALID;
