-- Orders of an older system, imported with their records as they were.

-- Only they have these marks: fees that nobody here computed, and versions of 0 until their status changes here.
ALTER TABLE collection_orders ADD CONSTRAINT collection_orders_legacy CHECK (
  (fee_status = 'legacy') = (fee_version = 0) AND status_version >= 0 AND fee_version >= 0
  AND (status_version > 0 OR fee_status = 'legacy'));
-- An event is one order's alone, whoever's it is. Those that are made here differ by chance; those that came along
-- are looked up.
CREATE INDEX collection_orders_legacy_event ON collection_orders (event_id)
  WHERE fee_status = 'legacy' AND event_id IS NOT NULL;
