-- compatible_from: 0.1.0
-- The origins of a merchant's pages that may show the checkout in a frame.

ALTER TABLE merchants ADD COLUMN embed_origins text[] NOT NULL DEFAULT '{}';
