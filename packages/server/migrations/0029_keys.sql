-- Secret keys that can be retired: a canary, random inner keys, and signing keys of their own.

-- One row, which a process locks while it makes the first keys.
CREATE TABLE key_ring (
  singleton boolean PRIMARY KEY CHECK (singleton),
  -- A known text, sealed. A process whose keys do not open it has the wrong keys. Null before the first start.
  canary_box bytea,
  -- Whether digests and tokens from before this migration derive from the secret keys themselves.
  has_older boolean NOT NULL
);
INSERT INTO key_ring (singleton, has_older) SELECT true, EXISTS (SELECT FROM users);

-- Keys of digests and checkout tokens, each sealed under a secret key. They never change, so that nothing that derives from
-- them is made again when a secret key is retired.
CREATE TABLE inner_keys (
  key_id text NOT NULL,
  -- Empty for a random key, from which the key of any purpose derives. Otherwise the key of one purpose, which derived from
  -- the secret key with this id before the keys of this table existed.
  purpose text NOT NULL,
  key_box bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, purpose)
);

-- The keys that sign ID tokens. One of them signs; the others stay published for some days.
CREATE TABLE oauth_signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  -- The private key, sealed; null when the key no longer signs.
  private_jwk_box bytea,
  created_at timestamptz NOT NULL,
  retired_at timestamptz,
  CONSTRAINT oauth_signing_keys_retired CHECK ((retired_at IS NULL) = (private_jwk_box IS NOT NULL))
);
CREATE UNIQUE INDEX oauth_signing_keys_one_signs ON oauth_signing_keys ((true)) WHERE retired_at IS NULL;

-- A code that has gone out stays with its order; it may be sealed anew.
CREATE OR REPLACE FUNCTION guard_catalog_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.order_no IS NOT NULL
    AND (NEW.merchant_id, NEW.gd_no, NEW.code_id, NEW.code_digest, NEW.uploaded_at, NEW.order_no, NEW.given_at)
      IS DISTINCT FROM (OLD.merchant_id, OLD.gd_no, OLD.code_id, OLD.code_digest, OLD.uploaded_at, OLD.order_no,
        OLD.given_at) THEN
    RAISE EXCEPTION 'a code goes out once' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
