-- Tokens of a client end at once, and clients can authenticate with keys of their own.

-- The generation of a client's tokens. A token of another generation is refused, so that raising this number ends all
-- tokens, also those that another process is issuing at the same moment with an old secret from its cache.
ALTER TABLE oauth_clients ADD COLUMN token_generation integer NOT NULL DEFAULT 0;
ALTER TABLE oauth_tokens ADD COLUMN client_generation integer NOT NULL DEFAULT 0;

-- The public keys of a client that signs assertions (private_key_jwt) instead of sending a secret.
ALTER TABLE oauth_clients ADD COLUMN jwks jsonb;
ALTER TABLE oauth_clients DROP CONSTRAINT oauth_clients_secret;
ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_secret
  CHECK ((type = 'confidential') = (secret_digest IS NOT NULL OR jwks IS NOT NULL)) NOT VALID;
