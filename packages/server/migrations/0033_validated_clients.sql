-- compatible_from: 0.1.0
-- mode: statements
-- Clients from before migration 30 are checked too: a confidential client has a secret or keys.

ALTER TABLE oauth_clients VALIDATE CONSTRAINT oauth_clients_secret;
