-- People are invited to work for a merchant, and told by mail what concerns their accounts and merchants.

-- An invitation waits until it is accepted, withdrawn or over; then its row is gone, and the audit log tells of it.
CREATE TABLE merchant_invitations (
  invitation_id text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  -- In the form in which accounts are compared.
  email text NOT NULL,
  role text NOT NULL,
  invited_by text NOT NULL,
  locale text NOT NULL,
  -- SHA-256 of the token in the link; null until the mail is made.
  token_hash bytea UNIQUE,
  -- Real times.
  invited_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- When the mail is to be sent; null once it was.
  due_at timestamptz,
  tries smallint NOT NULL,
  CONSTRAINT merchant_invitations_once UNIQUE (merchant_id, email)
);
CREATE INDEX merchant_invitations_due ON merchant_invitations (due_at) WHERE due_at IS NOT NULL;

-- Notices follow the audit trail from here on: nobody is told of what happened before the upgrade.
INSERT INTO seal_sinks (sink, seal_no)
  SELECT 'notices', coalesce(max(seal_no), 0) FROM seals WHERE merchant_id = '00000000-0000-0000-0000-000000000000';
