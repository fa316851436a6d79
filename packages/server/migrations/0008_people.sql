-- What people do about their accounts and about the programs that act for them.

-- The part of a session that may be shown: which browser it is.
ALTER TABLE sessions ADD COLUMN agent text NOT NULL DEFAULT '';

-- Short-lived things that are used once: half-finished sign-ins, links that reset a password, challenges for
-- passkeys. Found by the SHA-256 of a random token; using one deletes it.
CREATE TABLE one_time_tokens (
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  user_id uuid,
  detail jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT one_time_tokens_purpose CHECK (purpose IN ('second_factor', 'password_reset', 'passkey_new', 'passkey_use'))
);
CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id);
CREATE INDEX one_time_tokens_by_end ON one_time_tokens (expires_at);

-- Who asked for a link to reset a password, whether there is such an account or not: a worker finds out and sends it.
CREATE TABLE password_reset_requests (
  request_id uuid PRIMARY KEY,
  email text NOT NULL,
  locale text NOT NULL,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  tries smallint NOT NULL
);
CREATE INDEX password_reset_requests_due ON password_reset_requests (due_at);

-- Authenticator apps. One that is not confirmed yet asks for nothing. A code belongs to a step of thirty seconds,
-- and only one of a later step than the last counts.
CREATE TABLE totp_factors (
  user_id uuid PRIMARY KEY,
  secret_box bytea NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL
);

-- Keyed digests; using a code deletes it.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_digest bytea NOT NULL,
  PRIMARY KEY (user_id, code_digest)
);

CREATE TABLE passkeys (
  credential_id text PRIMARY KEY,
  user_id uuid NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- What a person lets a client do. Tokens carry at most this, and go with it.
CREATE TABLE oauth_consents (
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  scopes text[] NOT NULL,
  given_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, client_id)
);

-- Under which name a client knows a person: another one for each client, and the same for ever.
CREATE TABLE oauth_subjects (
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  sub text NOT NULL,
  PRIMARY KEY (user_id, client_id),
  CONSTRAINT oauth_subjects_unique UNIQUE (sub)
);
CREATE INDEX oauth_tokens_by_user ON oauth_tokens (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_account ON oauth_artifacts ((payload ->> 'accountId'))
  WHERE payload ->> 'accountId' IS NOT NULL;

-- What merchants ask for their clients. The client itself stays as it is until an administrator decides.
CREATE TABLE scope_applications (
  application_id text PRIMARY KEY,
  client_id text NOT NULL,
  merchant_id uuid NOT NULL,
  scopes text[] NOT NULL,
  status text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  decided_by text,
  decided_at timestamptz,
  reason text,
  -- What was approved, which may differ from what was asked for.
  approved_scopes text[],
  CONSTRAINT scope_applications_status CHECK (status IN ('pending', 'approved', 'rejected', 'superseded')),
  CONSTRAINT scope_applications_decided CHECK ((status IN ('approved', 'rejected')) = (decided_at IS NOT NULL)),
  CONSTRAINT scope_applications_reason CHECK (decided_at IS NULL OR reason <> ''),
  CONSTRAINT scope_applications_approved CHECK ((status = 'approved') = (approved_scopes IS NOT NULL))
);
CREATE UNIQUE INDEX scope_applications_pending ON scope_applications (client_id) WHERE status = 'pending';
CREATE INDEX scope_applications_by_client ON scope_applications (client_id);
