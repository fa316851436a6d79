-- compatible_from: 0.2.0
-- mode: statements
-- Every notice that waits has a kind of the longer list. Requests of merchants keep the member that was at fault.
ALTER TABLE account_notices VALIDATE CONSTRAINT account_notices_kind;
ALTER TABLE api_requests ADD COLUMN IF NOT EXISTS field text;
