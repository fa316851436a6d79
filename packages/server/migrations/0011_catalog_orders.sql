-- Orders of products, what was reserved for them, and the codes that are handed out for them.

CREATE TABLE catalog_orders (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  -- Who buys, and the program that ordered in their name.
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  gd_no text NOT NULL,
  -- The product's name when it was ordered.
  title text NOT NULL,
  quantity integer NOT NULL,
  -- What the buyer was asked for, by key: {"qq_account": "…"}.
  other_ipu jsonb NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  -- Minor units of that currency: the list price, what the wholesale price saves, and the buyer's fee.
  total_amount numeric(40,0) NOT NULL,
  discount_amount numeric(40,0) NOT NULL,
  handling_amount numeric(40,0) NOT NULL,
  -- The channels that the product allowed; empty where it allowed all.
  payment_methods text[] NOT NULL,
  -- The one channel that the order is paid through, and its quote.
  payment_no text NOT NULL,
  payment_name text NOT NULL,
  method_id text NOT NULL,
  test_mode boolean NOT NULL,
  payment_currency text NOT NULL,
  payment_decimals smallint NOT NULL,
  payment_subtotal numeric(40,0) NOT NULL,
  buyer_fee numeric(40,0) NOT NULL,
  merchant_fee_ptk numeric(40,0) NOT NULL,
  -- Empty where the channel is the merchant's own.
  settlement_ptk numeric(40,0),
  -- The locked price of 1 PTK times 10^12, the conversion, and the hold policy of the merchant at creation.
  price_e12 numeric(40,0) NOT NULL,
  gross_settlement_ptk numeric(40,0) NOT NULL,
  hold_days smallint NOT NULL,
  -- review: the deadline is over and a payment unresolved. Every state but cancelled has its stock.
  state text NOT NULL,
  state_version integer NOT NULL,
  -- Where what was paid has gone since.
  reversed text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  provider_trade_no text,
  paid_at timestamptz,
  -- When a worker is to hand out codes for it; empty where there is nothing to hand out.
  fulfil_at timestamptz,
  completed_at timestamptz,
  -- What the merchant tells the buyer with the delivery, sealed.
  delivery_note_box bytea,
  PRIMARY KEY (merchant_id, order_no),
  CONSTRAINT catalog_orders_trade UNIQUE (merchant_id, payment_no, provider_trade_no),
  CONSTRAINT catalog_orders_state CHECK (state IN ('pending', 'review', 'paid', 'completed', 'cancelled')),
  CONSTRAINT catalog_orders_reversed CHECK (
    reversed IS NULL OR (reversed IN ('refunded', 'chargeback') AND state IN ('completed', 'cancelled'))),
  CONSTRAINT catalog_orders_confirmed CHECK (
    (state IN ('paid', 'completed') OR reversed IS NOT NULL) = (paid_at IS NOT NULL)
    AND (paid_at IS NULL) = (provider_trade_no IS NULL)),
  CONSTRAINT catalog_orders_completed CHECK ((state = 'completed') = (completed_at IS NOT NULL)),
  CONSTRAINT catalog_orders_fulfil CHECK (fulfil_at IS NULL OR state = 'paid'),
  CONSTRAINT catalog_orders_amounts CHECK (quantity > 0 AND discount_amount >= 0 AND total_amount > discount_amount
    AND handling_amount >= 0 AND payment_subtotal > 0 AND buyer_fee >= 0),
  CONSTRAINT catalog_orders_net CHECK (
    settlement_ptk IS NULL OR (settlement_ptk > 0 AND settlement_ptk = gross_settlement_ptk - merchant_fee_ptk))
) /* by merchant_id */;
CREATE INDEX catalog_orders_due ON catalog_orders (merchant_id, expires_at) WHERE state = 'pending';
CREATE INDEX catalog_orders_to_fulfil ON catalog_orders (merchant_id, fulfil_at) WHERE fulfil_at IS NOT NULL;
-- Orders that are to get something of a product yet.
CREATE INDEX catalog_orders_outstanding ON catalog_orders (merchant_id, gd_no)
  WHERE state IN ('pending', 'review', 'paid');
-- How many orders of a product somebody has left unpaid.
CREATE INDEX catalog_orders_unpaid ON catalog_orders (merchant_id, user_id, gd_no)
  WHERE state IN ('pending', 'review');
-- For administrators and for buyers who come back from the provider, who know only the number.
CREATE INDEX catalog_orders_by_no ON catalog_orders (order_no);

-- The state machine once more, where no code can pass it by; looks at nothing but the row itself.
CREATE FUNCTION guard_catalog_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = OLD.state THEN
    IF NEW.reversed IS DISTINCT FROM OLD.reversed AND (OLD.reversed IS NOT NULL OR NEW.state <> 'completed') THEN
      RAISE EXCEPTION 'a payment goes back once' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF (OLD.state, NEW.state) NOT IN (
      ('pending', 'review'), ('pending', 'paid'), ('pending', 'cancelled'), ('review', 'paid'),
      ('review', 'cancelled'), ('cancelled', 'paid'), ('paid', 'completed'), ('paid', 'cancelled'))
    OR OLD.reversed IS NOT NULL OR (NEW.reversed IS NOT NULL AND OLD.state <> 'paid')
    OR (OLD.state = 'paid' AND NEW.state = 'cancelled' AND NEW.reversed IS NULL) THEN
    RAISE EXCEPTION 'forbidden transition from % to %', OLD.state, NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.user_id, NEW.gd_no, NEW.quantity, NEW.currency, NEW.total_amount, NEW.discount_amount, NEW.payment_no,
      NEW.payment_subtotal, NEW.buyer_fee, NEW.price_e12, NEW.gross_settlement_ptk, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.user_id, OLD.gd_no, OLD.quantity, OLD.currency, OLD.total_amount, OLD.discount_amount,
      OLD.payment_no, OLD.payment_subtotal, OLD.buyer_fee, OLD.price_e12, OLD.gross_settlement_ptk, OLD.created_at,
      OLD.expires_at)
    OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at, NEW.provider_trade_no)
      IS DISTINCT FROM (OLD.paid_at, OLD.provider_trade_no)) THEN
    RAISE EXCEPTION 'what was ordered never changes' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER catalog_orders_guard BEFORE UPDATE ON catalog_orders
  FOR EACH ROW EXECUTE FUNCTION guard_catalog_order();

-- Codes that a merchant has uploaded for a product, sealed. Each goes out once: with the order that it was given to.
CREATE TABLE catalog_codes (
  merchant_id uuid NOT NULL,
  gd_no text NOT NULL,
  code_id text NOT NULL,
  code_box bytea NOT NULL,
  -- Keyed: the same code is not taken in twice.
  code_digest bytea NOT NULL,
  uploaded_at timestamptz NOT NULL,
  order_no text,
  given_at timestamptz,
  PRIMARY KEY (merchant_id, gd_no, code_id),
  CONSTRAINT catalog_codes_once UNIQUE (merchant_id, gd_no, code_digest),
  CONSTRAINT catalog_codes_given CHECK ((order_no IS NULL) = (given_at IS NULL))
) /* by merchant_id */;
CREATE INDEX catalog_codes_free ON catalog_codes (merchant_id, gd_no, code_id) WHERE order_no IS NULL;
CREATE INDEX catalog_codes_by_order ON catalog_codes (merchant_id, order_no) WHERE order_no IS NOT NULL;

-- A code that has gone out stays with its order.
CREATE FUNCTION guard_catalog_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.order_no IS NOT NULL THEN
    RAISE EXCEPTION 'a code goes out once' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER catalog_codes_guard BEFORE UPDATE ON catalog_codes
  FOR EACH ROW EXECUTE FUNCTION guard_catalog_code();

-- Whatever can be paid, as the books have to agree with it: what was confirmed, what of it still stands, what came in
-- and what was settled.
CREATE VIEW payable_orders AS
  SELECT merchant_id, order_no, status, status IN ('paid', 'refunded', 'chargeback') AS confirmed,
    status = 'paid' AS standing, fee_status = 'legacy' AS historical, payment_amount, payment_currency,
    merchant_fee_ptk, settlement_ptk, hold_days
  FROM collection_orders
  UNION ALL
  SELECT merchant_id, order_no, coalesce(reversed, state), paid_at IS NOT NULL,
    paid_at IS NOT NULL AND reversed IS NULL, false, payment_subtotal + buyer_fee, payment_currency,
    merchant_fee_ptk, settlement_ptk, hold_days
  FROM catalog_orders;
