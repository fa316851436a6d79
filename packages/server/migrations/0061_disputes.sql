-- compatible_from: 0.1.0
-- What the card provider says of each dispute, and the evidence that people have sent about it.

CREATE TABLE card_disputes (
  merchant_id uuid NOT NULL,
  -- The provider's.
  dispute_id text NOT NULL,
  payment_no text NOT NULL,
  -- The order that was paid, or the case that holds the payment.
  order_no text,
  case_id text,
  test_mode boolean NOT NULL,
  -- The provider's word, such as needs_response.
  state text NOT NULL,
  stage text NOT NULL,
  -- Why the buyer's bank disputes, in the provider's word.
  reason text NOT NULL,
  -- Minor units; the decimals are empty where the platform does not keep the currency.
  amount numeric(40,0) NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint,
  -- When the bank stops waiting for evidence; empty where it takes none.
  due_by timestamptz,
  -- How often evidence was submitted at the provider, by whomever.
  submissions integer NOT NULL,
  opened_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, dispute_id),
  CONSTRAINT card_disputes_stage CHECK (stage IN ('to_answer', 'under_review', 'ended'))
) /* by merchant_id */;
CREATE INDEX card_disputes_queue ON card_disputes (stage, (coalesce(due_by, 'infinity')), dispute_id);
-- For administrators, who know only the number.
CREATE INDEX card_disputes_by_id ON card_disputes (dispute_id);

-- Files lie at the provider. Here is what they are.
CREATE TABLE dispute_files (
  merchant_id uuid NOT NULL,
  dispute_id text NOT NULL,
  -- The member of the evidence that the file is for.
  field text NOT NULL,
  -- The provider's.
  file_id text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL,
  uploaded_by text NOT NULL,
  uploaded_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, dispute_id, field)
) /* by merchant_id */;

CREATE TABLE dispute_evidence (
  merchant_id uuid NOT NULL,
  evidence_id text NOT NULL,
  dispute_id text NOT NULL,
  -- sending: the provider has not confirmed that it has it.
  status text NOT NULL,
  -- The texts by member, sealed: they tell of buyers.
  texts_box bytea NOT NULL,
  -- The files by member, as they were when the evidence was sent.
  files jsonb NOT NULL,
  -- Submissions at the provider before this one: more of them prove that it has arrived.
  submissions_before integer NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL,
  ended_at timestamptz,
  check_at timestamptz,
  detail text NOT NULL,
  PRIMARY KEY (merchant_id, evidence_id),
  CONSTRAINT dispute_evidence_status CHECK (status IN ('sending', 'sent', 'refused')),
  CONSTRAINT dispute_evidence_ended CHECK ((status = 'sending') = (ended_at IS NULL))
) /* by merchant_id */;
CREATE UNIQUE INDEX dispute_evidence_one_sending ON dispute_evidence (merchant_id, dispute_id) WHERE status = 'sending';
CREATE INDEX dispute_evidence_by_dispute ON dispute_evidence (merchant_id, dispute_id);
CREATE INDEX dispute_evidence_due ON dispute_evidence (merchant_id, check_at) WHERE check_at IS NOT NULL;
