-- compatible_from: 0.1.0
-- People open accounts themselves, by a link that is sent to their address.

-- Who asked for an account, whether the address has one or not: a worker finds out and sends the mail. The row ends when
-- the account is made, or when the link is over.
CREATE TABLE sign_up_requests (
  request_id uuid PRIMARY KEY,
  email text NOT NULL,
  -- In the form in which accounts are compared.
  email_key text NOT NULL,
  locale text NOT NULL,
  -- The page of ours to go on with, sealed: the address of a checkout opens it.
  return_box bytea NOT NULL,
  -- The id of the account that is made, and the name that was given for its passkey.
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- SHA-256 of the token in the link; null until the mail is made.
  token_hash bytea UNIQUE,
  -- Real times.
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- When the mail is to be sent; null once it was.
  due_at timestamptz,
  tries smallint NOT NULL,
  CONSTRAINT sign_up_requests_user UNIQUE (user_id)
);
CREATE INDEX sign_up_requests_due ON sign_up_requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sign_up_requests_by_end ON sign_up_requests (expires_at);
CREATE INDEX sign_up_requests_by_email ON sign_up_requests (email_key);
