-- compatible_from: 0.1.0
-- What an app may pay from a person's balance, and what it has paid.

-- PTK in smallest units; null for no limit.
ALTER TABLE oauth_consents ADD COLUMN max_per_payment numeric(40,0), ADD COLUMN max_per_day numeric(40,0);

-- The orders that an app has paid from a person's balance. The amount stands with the order.
CREATE TABLE app_payments (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  order_no text NOT NULL,
  paid_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id, client_id, order_no)
) /* by merchant_id */;
CREATE INDEX app_payments_by_time ON app_payments (merchant_id, user_id, client_id, paid_at);
