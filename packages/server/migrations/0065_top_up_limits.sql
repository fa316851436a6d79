-- compatible_from: 0.1.0
-- mode: statements
-- For the limits of a day. Few orders are top-ups, so the index is small.

CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_top_ups
  ON collection_orders (merchant_id, wallet_user_id, created_at) WHERE wallet_user_id IS NOT NULL;
