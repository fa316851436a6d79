-- compatible_from: 0.1.0
-- What "paydesk after-restore" leaves: whether traffic is held, and the idempotency keys whose orders a restore has lost.

CREATE TABLE traffic_holds (
  singleton boolean PRIMARY KEY,
  held_at timestamptz NOT NULL,
  reason text NOT NULL,
  CONSTRAINT traffic_holds_singleton CHECK (singleton)
);

-- A creation with such a key is refused, because its buyer has paid.
CREATE TABLE lost_order_keys (
  merchant_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  -- What is known of the order: number, payment, amount.
  known jsonb NOT NULL,
  marked_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, idempotency_key)
) /* by merchant_id */;
