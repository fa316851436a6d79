-- What a person has to look at: money or answers of a card provider that do not fit the books.

-- What cannot be told to belong to a merchant stands in the platform's own book.
CREATE TABLE payment_cases (
  merchant_id uuid NOT NULL,
  case_id text NOT NULL,
  kind text NOT NULL,
  -- What it is about, as whoever opens it names that: seen again, it is the same case.
  dedupe_key text NOT NULL,
  -- waiting: it may yet explain itself, and a worker looks again; open: it waits for a person.
  state text NOT NULL,
  order_no text,
  attempt_id text,
  payment_no text,
  -- At the provider: the session and the payment that it is about.
  session_id text,
  provider_payment_id text,
  -- Money of a test; it is booked like any other, and told apart.
  test_mode boolean NOT NULL,
  -- What came in, or what is in question, in minor units; the digits are missing where the currency is none of ours.
  amount numeric(40,0),
  currency text,
  currency_decimals smallint,
  -- When the provider took the payment.
  paid_at timestamptz,
  -- Whether the money stands in suspense: then the case cannot end before it has left.
  booked boolean NOT NULL,
  opened_at timestamptz NOT NULL,
  -- When a worker looks at it next: while it is waiting, or while its refund is under way.
  check_at timestamptz,
  tries integer NOT NULL,
  -- Its refund at the provider: requested until the provider is known to have it, then pending.
  refund_status text,
  refund_amount numeric(40,0),
  provider_refund_id text,
  -- How often one was begun: each that failed for certain is followed by one under a key of its own.
  refund_seq smallint NOT NULL,
  -- What was decided and why; set with the decision, which a refund carries out later.
  resolution text,
  reason text,
  resolved_at timestamptz,
  -- What was asked of the provider and what it said, for the operator. No secrets, nothing of the buyer.
  detail jsonb NOT NULL,
  PRIMARY KEY (merchant_id, case_id),
  CONSTRAINT payment_cases_once UNIQUE (merchant_id, kind, dedupe_key),
  CONSTRAINT payment_cases_kind CHECK (kind IN ('mismatch', 'duplicate_payment', 'unknown_creation',
    'unmatched_receipt', 'partial_refund', 'unfulfillable')),
  CONSTRAINT payment_cases_state CHECK (state IN ('waiting', 'open', 'resolved')),
  CONSTRAINT payment_cases_resolved CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)
    AND (state <> 'resolved' OR (resolution IS NOT NULL AND reason IS NOT NULL))),
  CONSTRAINT payment_cases_waiting CHECK (state <> 'waiting' OR check_at IS NOT NULL),
  CONSTRAINT payment_cases_money CHECK (amount > 0 AND refund_amount > 0 AND (NOT booked OR (amount IS NOT NULL
    AND currency IS NOT NULL AND payment_no IS NOT NULL AND provider_payment_id IS NOT NULL))),
  CONSTRAINT payment_cases_refund CHECK (refund_status IN ('requested', 'pending')
    AND (refund_status IS NULL OR (state = 'open' AND check_at IS NOT NULL AND refund_amount IS NOT NULL)))
) /* by merchant_id */;
CREATE INDEX payment_cases_by_order ON payment_cases (merchant_id, order_no);
CREATE INDEX payment_cases_due ON payment_cases (merchant_id, check_at) WHERE check_at IS NOT NULL;
-- For administrators, who know only the number; and the list of what is not resolved.
CREATE INDEX payment_cases_by_id ON payment_cases (case_id);
CREATE INDEX payment_cases_unresolved ON payment_cases (case_id) WHERE state <> 'resolved';
-- What the provider reports of a payment finds its case: it names no merchant.
CREATE INDEX payment_cases_by_payment ON payment_cases (provider_payment_id, payment_no)
  WHERE provider_payment_id IS NOT NULL;
