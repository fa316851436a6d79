-- What people who operate and integrate look at.

-- What a merchant's clients have asked of the API lately, without bodies, queries and tokens. `seen_id` sorts by the time
-- of the answer; the id of a request may have been chosen by its client, so that it need not be unique.
CREATE TABLE api_requests (
  merchant_id uuid NOT NULL,
  seen_id text NOT NULL,
  request_id text NOT NULL,
  at timestamptz NOT NULL,
  client_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  error text,
  duration_ms integer NOT NULL,
  PRIMARY KEY (merchant_id, seen_id)
) /* by merchant_id */;

-- Webhooks that could not be followed for a day are given up, and wait for a person.
ALTER TABLE card_webhooks ADD COLUMN given_up_at timestamptz;
ALTER TABLE card_webhooks ADD CONSTRAINT card_webhooks_given_up CHECK (given_up_at IS NULL OR due_at IS NULL);
CREATE INDEX card_webhooks_dead ON card_webhooks (given_up_at, payment_no, provider_event_id)
  WHERE given_up_at IS NOT NULL;

-- Whoever had the books checked, and how that went.
CREATE TABLE ledger_verifications (
  verified_at timestamptz NOT NULL,
  verified_by text NOT NULL,
  ok boolean NOT NULL,
  entries bigint NOT NULL,
  findings integer NOT NULL,
  PRIMARY KEY (verified_at, verified_by),
  CONSTRAINT ledger_verifications_ok CHECK (ok = (findings = 0))
);

-- Mails that people are owed about their accounts, until they are accepted.
CREATE TABLE account_notices (
  notice_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  locale text NOT NULL,
  due_at timestamptz NOT NULL,
  tries smallint NOT NULL,
  CONSTRAINT account_notices_kind CHECK (kind IN ('password_changed'))
);
CREATE INDEX account_notices_due ON account_notices (due_at);
