-- People can be disabled. Sessions show where they are used, and keep when their person last proved to be present.
-- Processes of the previous release do not write the new columns: a session without them counts from its other times.

ALTER TABLE users VALIDATE CONSTRAINT users_role;
ALTER TABLE users ADD COLUMN disabled_at timestamptz;
-- Finds the administrators, so that the last one stays.
CREATE INDEX IF NOT EXISTS users_administrators ON users (user_id) WHERE role = 'admin';

-- The network address of the sign-in.
ALTER TABLE sessions ADD COLUMN address text;
ALTER TABLE sessions ADD COLUMN last_used_at timestamptz;
-- The last proof by password, code or passkey.
ALTER TABLE sessions ADD COLUMN proved_at timestamptz;

-- Who disabled a client: `merchant`, or null for the platform. A merchant enables only what it has disabled itself.
ALTER TABLE oauth_clients ADD COLUMN disabled_by text;
