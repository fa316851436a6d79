-- compatible_from: 0.1.0
-- mode: statements
-- Since when a scheduled export fails, as its people were told by mail (null while it arrives), and those of all merchants
-- that fail, for the platform's alarm.

ALTER TABLE account_notices VALIDATE CONSTRAINT account_notices_kind;
ALTER TABLE statement_exports ADD COLUMN IF NOT EXISTS failing_since timestamptz;
CREATE INDEX CONCURRENTLY IF NOT EXISTS statement_exports_failing ON statement_exports (failing_since)
  WHERE failing_since IS NOT NULL;
