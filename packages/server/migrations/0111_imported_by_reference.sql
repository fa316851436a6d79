-- compatible_from: 0.1.0
-- mode: statements
-- Finds the newest imported orders of a reference: their numbers, which an older system made, do not sort by creation.

CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_legacy_reference
  ON collection_orders (merchant_id, external_reference, created_at) WHERE fee_status = 'legacy';
