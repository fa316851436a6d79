-- compatible_from: 0.1.0
-- The items of open orders that no code of their product covers: what comes back from cancelled orders covers these first.

ALTER TABLE products ADD COLUMN codes_missing integer NOT NULL DEFAULT 0;
