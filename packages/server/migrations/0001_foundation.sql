-- The tables that Paydesk's main job stands on.
--
-- A table whose definition ends in "/* by merchant_id */" belongs to a merchant: merchant_id comes first in its
-- primary key and in every unique key, so that the same schema can be distributed by merchant. Money is
-- NUMERIC(40,0) in minor units of its currency (8 decimals for PTK). Times that decide anything come in as
-- parameters; no statement asks the database for the time.

-- ---------------------------------------------------------------- platform

-- Bumped by every administrative change: each process drops what it has cached when this number moves.
CREATE TABLE config_version (
  singleton boolean PRIMARY KEY CHECK (singleton),
  version bigint NOT NULL
);
INSERT INTO config_version (singleton, version) VALUES (true, 1);

-- How far the test clock is ahead of real time; one row, zero in production.
CREATE TABLE test_clock (
  singleton boolean PRIMARY KEY CHECK (singleton),
  offset_ms bigint NOT NULL CHECK (offset_ms >= 0)
);
INSERT INTO test_clock (singleton, offset_ms) VALUES (true, 0);

CREATE TABLE audit_log (
  audit_id text PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  reason text,
  before jsonb,
  after jsonb
);

CREATE TABLE currencies (
  code text PRIMARY KEY,
  decimals smallint NOT NULL,
  enabled boolean NOT NULL,
  min_minor numeric(40,0) NOT NULL,
  max_minor numeric(40,0) NOT NULL,
  CONSTRAINT currencies_decimals CHECK (decimals BETWEEN 0 AND 8),
  CONSTRAINT currencies_range CHECK (min_minor >= 1 AND max_minor >= min_minor)
);

-- The price of 1 PTK in a currency, times 10^12.
CREATE TABLE rates (
  currency text PRIMARY KEY,
  price_e12 numeric(40,0) NOT NULL,
  valid_until timestamptz,
  CONSTRAINT rates_positive CHECK (price_e12 > 0)
);

-- ---------------------------------------------------------------- people

CREATE TABLE users (
  user_id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The address folded for comparison.
  email_key text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT users_email_unique UNIQUE (email_key),
  CONSTRAINT users_role CHECK (role IN ('user', 'admin'))
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- A person's own PTK; the other half of each movement stands in the book named by merchant_id.
CREATE TABLE user_wallets (
  user_id uuid PRIMARY KEY,
  available_ptk numeric(40,0) NOT NULL,
  CONSTRAINT user_wallets_covered CHECK (available_ptk >= 0)
);

CREATE TABLE user_wallet_lines (
  user_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  subject text NOT NULL,
  posting text NOT NULL,
  -- Positive where the wallet grows.
  amount_ptk numeric(40,0) NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (user_id, merchant_id, subject, posting)
);

-- ---------------------------------------------------------------- merchants

CREATE TABLE merchants (
  merchant_id uuid NOT NULL,
  name text NOT NULL,
  owner_user_id uuid NOT NULL,
  status text NOT NULL,
  hold_days smallint NOT NULL,
  guest_purchase_allowed boolean NOT NULL,
  credit_limit_ptk numeric(40,0) NOT NULL,
  logo_url text NOT NULL,
  short_description text NOT NULL,
  description text NOT NULL,
  business_scope text NOT NULL,
  website_url text NOT NULL,
  contact text NOT NULL,
  -- Defaults for status notifications: the address, whether they are on, and the sealed signing secret.
  notify_url text NOT NULL,
  notify_enabled boolean NOT NULL,
  notify_secret_box bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id),
  CONSTRAINT merchants_status CHECK (status IN ('active', 'inactive')),
  CONSTRAINT merchants_hold CHECK (hold_days BETWEEN 0 AND 30),
  CONSTRAINT merchants_credit CHECK (credit_limit_ptk >= 0),
  CONSTRAINT merchants_notify CHECK (NOT notify_enabled OR (notify_url <> '' AND notify_secret_box IS NOT NULL))
) /* by merchant_id */;
CREATE INDEX merchants_by_owner ON merchants (owner_user_id);

-- ---------------------------------------------------------------- clients and tokens

CREATE TABLE oauth_clients (
  client_id text PRIMARY KEY,
  merchant_id uuid,
  name text NOT NULL,
  type text NOT NULL,
  scopes text[] NOT NULL,
  redirect_uris text[] NOT NULL,
  -- Keyed digest of the secret; the previous one counts until the time beside it.
  secret_digest bytea,
  previous_secret_digest bytea,
  previous_valid_until timestamptz,
  disabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT oauth_clients_type CHECK (type IN ('confidential', 'public')),
  CONSTRAINT oauth_clients_secret CHECK ((type = 'confidential') = (secret_digest IS NOT NULL))
);
CREATE INDEX oauth_clients_by_merchant ON oauth_clients (merchant_id);

-- Access tokens, found by their SHA-256. A token of the client-credentials grant has no user.
CREATE TABLE oauth_tokens (
  token_hash bytea PRIMARY KEY,
  client_id text NOT NULL,
  user_id uuid,
  grant_hash bytea,
  scopes text[] NOT NULL,
  -- What the authorization server itself keeps about the token.
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_hash) WHERE grant_hash IS NOT NULL;

-- Everything else the authorization server stores: sessions, interactions, codes, grants; ids are hashed.
CREATE TABLE oauth_artifacts (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  grant_hash bytea,
  uid_hash bytea,
  payload jsonb NOT NULL,
  consumed_at timestamptz,
  expires_at timestamptz,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oauth_artifacts_by_grant ON oauth_artifacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX oauth_artifacts_by_uid ON oauth_artifacts (uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX oauth_artifacts_by_end ON oauth_artifacts (expires_at);

-- ---------------------------------------------------------------- the ledger

-- One movement of one currency from one account to another: it balances by construction, and its primary key
-- lets it happen once. Amounts are positive. Append-only.
CREATE TABLE ledger_transfers (
  merchant_id uuid NOT NULL,
  -- What it is about: an order number, "topup:" and a reference, a withdrawal.
  subject text NOT NULL,
  -- The posting by its name in docs/ledger.md: P1, P2, P14 …
  posting text NOT NULL,
  -- Tells several postings of one kind on one subject apart; empty where there can be only one.
  case_key text NOT NULL,
  leg smallint NOT NULL,
  debit_account text NOT NULL,
  credit_account text NOT NULL,
  currency text NOT NULL,
  amount numeric(40,0) NOT NULL,
  test_mode boolean NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, subject, posting, case_key, leg),
  CONSTRAINT ledger_transfers_positive CHECK (amount > 0),
  CONSTRAINT ledger_transfers_moves CHECK (debit_account <> credit_account)
) /* by merchant_id */;

-- The stored balances of a merchant's guarded accounts, each on its normal side, never below zero.
-- Funds of one order have a row of their own (ref = order number), so that payments do not queue behind one row.
CREATE TABLE ledger_balances (
  merchant_id uuid NOT NULL,
  account text NOT NULL,
  ref text NOT NULL,
  currency text NOT NULL,
  balance numeric(40,0) NOT NULL,
  PRIMARY KEY (merchant_id, account, ref),
  CONSTRAINT ledger_balances_covered CHECK (balance >= 0)
) /* by merchant_id */;

-- ---------------------------------------------------------------- channels

CREATE TABLE channels (
  payment_no text PRIMARY KEY,
  -- Empty for a channel of the platform.
  merchant_id uuid,
  provider text NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  test_mode boolean NOT NULL,
  enabled boolean NOT NULL,
  login_required boolean NOT NULL,
  supported_currencies text[] NOT NULL,
  -- Per currency: {"USD": {"buyer": {"fixed_minor", "percent_ppm", "cap_minor"}, "merchant": {…}}}, amounts as text.
  fees jsonb NOT NULL,
  debug_merchants uuid[] NOT NULL,
  debug_users uuid[] NOT NULL,
  -- The card provider's account: address, and the sealed keys.
  api_base text NOT NULL,
  secret_key_box bytea,
  live_key boolean NOT NULL,
  webhook_secret_box bytea,
  previous_webhook_secret_box bytea,
  previous_webhook_valid_until timestamptz,
  -- The last part of the webhook address.
  webhook_key text,
  created_at timestamptz NOT NULL,
  CONSTRAINT channels_provider CHECK (provider IN ('ptk', 'cardprov')),
  CONSTRAINT channels_ptk CHECK (provider <> 'ptk' OR (merchant_id IS NULL AND NOT test_mode)),
  CONSTRAINT channels_webhook_key UNIQUE (webhook_key)
);

-- ---------------------------------------------------------------- payments

-- What each method would cost, fixed when the order was made.
CREATE TABLE payment_quotes (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  method_id text NOT NULL,
  payment_no text NOT NULL,
  provider text NOT NULL,
  owner text NOT NULL,
  test_mode boolean NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  subtotal numeric(40,0) NOT NULL,
  buyer_fee numeric(40,0) NOT NULL,
  merchant_fee numeric(40,0) NOT NULL,
  merchant_fee_ptk numeric(40,0) NOT NULL,
  -- The fee rules the amounts come from.
  fee_rules jsonb NOT NULL,
  PRIMARY KEY (merchant_id, order_no, method_id)
) /* by merchant_id */;

-- One try to pay an order through one channel.
CREATE TABLE payment_attempts (
  merchant_id uuid NOT NULL,
  attempt_id text NOT NULL,
  order_no text NOT NULL,
  seq smallint NOT NULL,
  method_id text NOT NULL,
  payment_no text NOT NULL,
  provider text NOT NULL,
  test_mode boolean NOT NULL,
  state text NOT NULL,
  amount numeric(40,0) NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  buyer_user_id uuid,
  created_at timestamptz NOT NULL,
  -- Set where the answer to a request to the provider is awaited; real time.
  lease_until timestamptz,
  -- When the last request to create the session ended without a clear answer.
  unclear_since timestamptz,
  session_id text,
  session_url text,
  session_expires_at timestamptz,
  provider_trade_no text,
  -- When a worker is to look at it next; empty where nothing is left to ask.
  check_at timestamptz,
  paid_at timestamptz,
  closed_at timestamptz,
  -- What the provider is asked for, so that a retry under the same key repeats it to the letter.
  request jsonb NOT NULL,
  -- What the provider said, for the operator: the latest answer and why the state is what it is.
  detail jsonb NOT NULL,
  PRIMARY KEY (merchant_id, attempt_id),
  CONSTRAINT payment_attempts_seq UNIQUE (merchant_id, order_no, seq),
  CONSTRAINT payment_attempts_state CHECK (state IN ('creating', 'open', 'unknown', 'processing', 'paid',
    'paid_late', 'closed', 'failed', 'absent', 'rejected', 'mismatch'))
) /* by merchant_id */;
-- At most one attempt of an order counts. A payment that was verified late may stand beside it: it came through a
-- session that was thought refused.
CREATE UNIQUE INDEX payment_attempts_counting ON payment_attempts (merchant_id, order_no)
  WHERE state NOT IN ('rejected', 'paid_late');
CREATE INDEX payment_attempts_due ON payment_attempts (merchant_id, check_at) WHERE check_at IS NOT NULL;

-- Net proceeds of a paid order that wait for the merchant's hold to end; one row per order under hold.
CREATE TABLE payment_holds (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  release_at timestamptz NOT NULL,
  released_at timestamptz,
  PRIMARY KEY (merchant_id, order_no)
) /* by merchant_id */;
CREATE INDEX payment_holds_due ON payment_holds (merchant_id, release_at) WHERE released_at IS NULL;

-- Signed webhooks as they came, stored before they are acknowledged. Found by channel: what they say of an order
-- is only a hint, so they belong to no merchant.
CREATE TABLE card_webhooks (
  payment_no text NOT NULL,
  provider_event_id text NOT NULL,
  type text NOT NULL,
  -- The raw body, sealed.
  body_box bytea NOT NULL,
  received_at timestamptz NOT NULL,
  -- When a worker is to process it (again); empty once done.
  due_at timestamptz,
  tries integer NOT NULL,
  outcome text,
  PRIMARY KEY (payment_no, provider_event_id)
);
CREATE INDEX card_webhooks_due ON card_webhooks (due_at) WHERE due_at IS NOT NULL;

-- ---------------------------------------------------------------- collection orders

CREATE TABLE collection_orders (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  idempotency_key text NOT NULL,
  external_reference text NOT NULL,
  description text NOT NULL,
  -- The channel the merchant asked for; empty where the buyer chooses.
  requested_payment_no text NOT NULL,
  amount_minor numeric(40,0) NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  created_at timestamptz NOT NULL,
  expires_in integer NOT NULL,
  expires_at timestamptz NOT NULL,
  return_url text NOT NULL,
  -- unspecified, disabled, default or explicit, as the request said; then what is in force for this order.
  notify_mode text NOT NULL,
  notify_url text NOT NULL,
  notify_secret_box bytea,
  notify_secret_digest bytea,
  token_key_id text NOT NULL,
  status text NOT NULL,
  status_version integer NOT NULL,
  -- The locked price of 1 PTK times 10^12, the conversion, and the hold policy of the merchant at creation.
  price_e12 numeric(40,0) NOT NULL,
  gross_settlement_ptk numeric(40,0) NOT NULL,
  hold_days smallint NOT NULL,
  fee_status text NOT NULL,
  fee_version integer NOT NULL,
  -- The selected channel and its quote; empty until one is selected.
  payment_no text NOT NULL,
  test_mode boolean NOT NULL,
  payment_currency text,
  payment_decimals smallint,
  payment_amount numeric(40,0),
  buyer_fee numeric(40,0),
  merchant_fee numeric(40,0),
  merchant_fee_ptk numeric(40,0) NOT NULL,
  settlement_ptk numeric(40,0),
  event_id text,
  provider_trade_no text,
  -- The instant of payment, and its text as the channel gave it.
  occurred_at timestamptz,
  occurred_at_text text,
  PRIMARY KEY (merchant_id, order_no),
  CONSTRAINT collection_orders_idempotency UNIQUE (merchant_id, idempotency_key),
  CONSTRAINT collection_orders_event UNIQUE (merchant_id, event_id),
  CONSTRAINT collection_orders_trade UNIQUE (merchant_id, payment_no, provider_trade_no),
  CONSTRAINT collection_orders_status CHECK (
    status IN ('pending', 'paid', 'review', 'expired', 'refunded', 'chargeback')),
  CONSTRAINT collection_orders_confirmed CHECK (
    (status IN ('paid', 'refunded', 'chargeback')) = (event_id IS NOT NULL)),
  CONSTRAINT collection_orders_amount CHECK (amount_minor BETWEEN 1 AND 9007199254740991),
  CONSTRAINT collection_orders_net CHECK (
    settlement_ptk IS NULL OR (settlement_ptk > 0 AND settlement_ptk = gross_settlement_ptk - merchant_fee_ptk))
) /* by merchant_id */;
CREATE INDEX collection_orders_by_reference ON collection_orders (merchant_id, external_reference, order_no DESC);
CREATE INDEX collection_orders_due ON collection_orders (merchant_id, expires_at) WHERE status = 'pending';
-- For administrators and provider look-ups, who know only the number.
CREATE INDEX collection_orders_by_no ON collection_orders (order_no);

-- The state machine once more, where no code can pass it by; looks at nothing but the row itself.
CREATE FUNCTION guard_collection_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = OLD.status THEN
    IF NEW.status_version <> OLD.status_version THEN
      RAISE EXCEPTION 'status_version moves only with the status' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF (OLD.status, NEW.status) NOT IN (
      ('pending', 'expired'), ('pending', 'review'), ('pending', 'paid'), ('review', 'paid'), ('review', 'expired'),
      ('expired', 'paid'), ('paid', 'refunded'), ('paid', 'chargeback'))
    OR NEW.status_version <> OLD.status_version + 1 THEN
    RAISE EXCEPTION 'forbidden transition from % to %', OLD.status, NEW.status
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.external_reference, NEW.amount_minor, NEW.currency, NEW.currency_decimals, NEW.expires_at, NEW.created_at,
      NEW.price_e12, NEW.gross_settlement_ptk)
    IS DISTINCT FROM (OLD.external_reference, OLD.amount_minor, OLD.currency, OLD.currency_decimals, OLD.expires_at,
      OLD.created_at, OLD.price_e12, OLD.gross_settlement_ptk)
    OR (OLD.event_id IS NOT NULL AND NEW.event_id IS DISTINCT FROM OLD.event_id) THEN
    RAISE EXCEPTION 'the invoice of an order never changes' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER collection_orders_guard BEFORE UPDATE ON collection_orders
  FOR EACH ROW EXECUTE FUNCTION guard_collection_order();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE ON ledger_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- ---------------------------------------------------------------- notifications

-- The outbox: one row per event, written in the transaction of the status change. Address and secret are the
-- order's own, copied, so that delivery needs nothing else.
CREATE TABLE notifications (
  merchant_id uuid NOT NULL,
  event_id text NOT NULL,
  order_no text NOT NULL,
  status_version integer NOT NULL,
  -- The exact bytes that are signed and sent, as text.
  body text NOT NULL,
  url text NOT NULL,
  -- Host and port of the address: what one slow receiver may hold is bounded by it.
  destination text NOT NULL,
  secret_box bytea NOT NULL,
  delivery_status text NOT NULL,
  attempts integer NOT NULL,
  -- Set while the next attempt was asked for by hand: one try, no schedule.
  manual boolean NOT NULL,
  next_attempt_at timestamptz,
  -- Until when a worker holds it; real time.
  lease_until timestamptz,
  last_http_status smallint,
  last_error text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, event_id),
  CONSTRAINT notifications_once UNIQUE (merchant_id, order_no, status_version),
  CONSTRAINT notifications_status CHECK (delivery_status IN ('pending', 'delivered', 'failed')),
  CONSTRAINT notifications_due CHECK ((delivery_status = 'pending') = (next_attempt_at IS NOT NULL))
) /* by merchant_id */;
-- The first finds merchants with due work, the second their destinations, each without reading the others' backlog.
CREATE INDEX notifications_due_at ON notifications (merchant_id, next_attempt_at)
  WHERE delivery_status = 'pending';
CREATE INDEX notifications_due_by_destination ON notifications (merchant_id, destination, next_attempt_at)
  WHERE delivery_status = 'pending';

CREATE TABLE notification_attempts (
  merchant_id uuid NOT NULL,
  event_id text NOT NULL,
  attempt integer NOT NULL,
  trigger text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  http_status smallint,
  error text,
  duration_ms integer,
  PRIMARY KEY (merchant_id, event_id, attempt),
  CONSTRAINT notification_attempts_trigger CHECK (trigger IN ('automatic', 'manual'))
) /* by merchant_id */;
