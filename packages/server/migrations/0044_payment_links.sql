-- compatible_from: 0.1.0
-- What a merchant's people make in the console: payment links, and notes on orders. And which acts of the audit log the
-- people of a merchant did, so that the merchant can read them.

-- A link makes orders; its amounts are texts as in a creation request, and the order checks them.
CREATE TABLE payment_links (
  merchant_id uuid NOT NULL,
  -- Begins with the merchant's id; the rest is random.
  link text NOT NULL,
  external_reference text NOT NULL,
  description text NOT NULL,
  currency text NOT NULL,
  -- Null: the visitor enters it, within the bounds that are set.
  amount text,
  min_amount text,
  max_amount text,
  return_url text NOT NULL,
  -- How long an order of the link can be paid, in seconds.
  order_expires_in integer NOT NULL,
  -- Null: without end.
  expires_at timestamptz,
  -- Null: without limit. Each order that the link makes is a use.
  max_uses integer,
  uses integer NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (merchant_id, link),
  CONSTRAINT payment_links_uses CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses))
) /* by merchant_id */;
CREATE INDEX payment_links_by_time ON payment_links (merchant_id, created_at DESC, link DESC);

CREATE TABLE order_notes (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  note_id text NOT NULL,
  text text NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_no, note_id)
) /* by merchant_id */;

-- The entries of the audit log that a merchant's people caused in its console.
CREATE TABLE merchant_acts (
  merchant_id uuid NOT NULL,
  audit_id text NOT NULL,
  PRIMARY KEY (merchant_id, audit_id)
) /* by merchant_id */;
