-- Named administration keys, and the addresses from which keys and clients may call (issue 15).

-- Only the hash of a key is stored. `owner` is the person who made the key, also through another key; or the key of the
-- environment. Times are real times.
CREATE TABLE admin_keys (
  key_id text PRIMARY KEY,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  -- Address ranges in CIDR notation; empty: from anywhere.
  allowed_cidrs text[] NOT NULL,
  owner text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  revoke_reason text,
  CONSTRAINT admin_keys_hash UNIQUE (key_hash),
  CONSTRAINT admin_keys_role CHECK (role IN ('admin', 'finance', 'support', 'auditor')),
  CONSTRAINT admin_keys_revoked CHECK ((revoked_at IS NULL) = (revoked_by IS NULL) AND (revoked_at IS NULL) = (revoke_reason IS NULL))
);

-- Empty: from anywhere.
ALTER TABLE oauth_clients ADD COLUMN allowed_cidrs text[] NOT NULL DEFAULT '{}';
