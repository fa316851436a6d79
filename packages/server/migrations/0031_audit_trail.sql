-- The audit trail says where an entry came from, and is streamed to a place outside.

-- The network address, and the id of the session: not its secret.
ALTER TABLE audit_log ADD COLUMN address text;
ALTER TABLE audit_log ADD COLUMN session_id text;

-- One worker at a time sends to a sink, so that its lines stay in order. Real time.
ALTER TABLE seal_sinks ADD COLUMN leased_by uuid;
ALTER TABLE seal_sinks ADD COLUMN leased_until timestamptz;

-- People are told of more than a changed password. `detail` has what the text of the mail names.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind;
ALTER TABLE account_notices ADD COLUMN detail jsonb NOT NULL DEFAULT '{}';
ALTER TABLE account_notices ADD CONSTRAINT account_notices_kind CHECK (kind IN (
  'password_changed', 'new_device', 'factor_added', 'factor_removed', 'role_given', 'secret_changed', 'owner_added'));
