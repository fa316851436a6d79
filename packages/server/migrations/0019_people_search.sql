-- Administrators find people by how an address or a name begins.
CREATE INDEX users_by_address ON users (email_key text_pattern_ops);
CREATE INDEX users_by_name ON users (lower(name) text_pattern_ops);
