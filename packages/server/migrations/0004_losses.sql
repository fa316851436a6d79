-- What takes a payment back: refunds, complaints and disputes.

-- One request to return a payment in full, or a refund seen at the provider that nobody here asked for.
CREATE TABLE payment_refunds (
  merchant_id uuid NOT NULL,
  refund_id text NOT NULL,
  order_no text NOT NULL,
  -- The payment that goes back.
  attempt_id text NOT NULL,
  amount numeric(40,0) NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  -- requested: the provider is being asked, or its answer was unclear; pending: it has the refund, which takes time;
  -- partial: seen at the provider, where another amount than was paid has gone back. A person decides.
  status text NOT NULL,
  provider_refund_id text,
  requested_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When a worker is to ask (again) or to look; empty once it has ended.
  check_at timestamptz,
  -- What was last learned, for the operator.
  detail text NOT NULL,
  PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT payment_refunds_status CHECK (
    status IN ('requested', 'pending', 'succeeded', 'failed', 'partial')),
  CONSTRAINT payment_refunds_ended CHECK (
    (status NOT IN ('requested', 'pending')) = (ended_at IS NOT NULL) AND (ended_at IS NULL) = (check_at IS NOT NULL)),
  CONSTRAINT payment_refunds_amount CHECK (amount > 0)
) /* by merchant_id */;
-- An order is refunded once: at most one refund is under way or done.
CREATE UNIQUE INDEX payment_refunds_once ON payment_refunds (merchant_id, order_no)
  WHERE status NOT IN ('failed', 'partial');
CREATE INDEX payment_refunds_by_order ON payment_refunds (merchant_id, order_no);
CREATE INDEX payment_refunds_due ON payment_refunds (merchant_id, check_at) WHERE check_at IS NOT NULL;

-- Doubt about a paid order: while one is open its funds are frozen.
CREATE TABLE payment_complaints (
  merchant_id uuid NOT NULL,
  complaint_id text NOT NULL,
  order_no text NOT NULL,
  -- Who has doubts: platform, or provider.
  source text NOT NULL,
  -- The provider's dispute that decides it, where there is one.
  dispute_id text,
  reason text NOT NULL,
  -- closed: the payment went back otherwise while it was open.
  status text NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  -- What it cost in the end, in minor units of that currency.
  loss_amount numeric(40,0),
  external_cost numeric(40,0),
  opened_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- When a worker is to look at the provider's dispute next; empty where there is none or it is over.
  check_at timestamptz,
  PRIMARY KEY (merchant_id, complaint_id),
  CONSTRAINT payment_complaints_source CHECK (source IN ('platform', 'provider')),
  CONSTRAINT payment_complaints_status CHECK (status IN ('open', 'dismissed', 'confirmed', 'closed')),
  CONSTRAINT payment_complaints_decided CHECK ((status = 'open') = (decided_at IS NULL)),
  CONSTRAINT payment_complaints_loss CHECK ((status = 'confirmed') = (loss_amount IS NOT NULL)),
  CONSTRAINT payment_complaints_amounts CHECK (loss_amount > 0 AND external_cost > 0)
) /* by merchant_id */;
CREATE UNIQUE INDEX payment_complaints_one_open ON payment_complaints (merchant_id, order_no) WHERE status = 'open';
CREATE UNIQUE INDEX payment_complaints_dispute ON payment_complaints (merchant_id, dispute_id)
  WHERE dispute_id IS NOT NULL;
CREATE INDEX payment_complaints_by_order ON payment_complaints (merchant_id, order_no);
CREATE INDEX payment_complaints_due ON payment_complaints (merchant_id, check_at) WHERE check_at IS NOT NULL;
-- For administrators, who know only the number.
CREATE INDEX payment_complaints_by_id ON payment_complaints (complaint_id);

-- A hold that a complaint has stopped is not looked at by the worker that ends holds.
ALTER TABLE payment_holds ADD COLUMN frozen boolean NOT NULL DEFAULT false;
DROP INDEX payment_holds_due;
CREATE INDEX payment_holds_due ON payment_holds (merchant_id, release_at) WHERE released_at IS NULL AND NOT frozen;

-- What the provider reports of a payment finds its attempt: it names no merchant.
CREATE INDEX payment_attempts_by_trade ON payment_attempts (provider_trade_no, payment_no)
  WHERE provider_trade_no IS NOT NULL;

-- One order may move a person's money under one posting more than once: two losses in part.
ALTER TABLE user_wallet_lines ADD COLUMN case_key text NOT NULL DEFAULT '';
ALTER TABLE user_wallet_lines DROP CONSTRAINT user_wallet_lines_pkey;
ALTER TABLE user_wallet_lines ADD PRIMARY KEY (user_id, merchant_id, subject, posting, case_key);
