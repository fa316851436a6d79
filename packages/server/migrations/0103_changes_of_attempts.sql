-- compatible_from: 0.1.0
-- mode: statements
-- The numbers of the transactions that change how far an order came after sums of it may be kept: so a worker finds which sums to
-- make anew. What was there before counts as it stands when it is summed first.

ALTER TABLE payment_attempts ADD COLUMN IF NOT EXISTS changed_xact bigint;
ALTER TABLE checkout_openings ADD COLUMN IF NOT EXISTS changed_xact bigint;
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_late_changes ON payment_attempts (merchant_id, changed_xact)
  WHERE changed_xact IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS checkout_openings_late ON checkout_openings (merchant_id, changed_xact)
  WHERE changed_xact IS NOT NULL;
