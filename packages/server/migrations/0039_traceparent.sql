-- compatible_from: 0.1.0
-- mode: statements
-- The span that caused an event or brought a webhook, in the form of the header traceparent (W3C Trace Context), so that
-- what follows from it belongs to the same trace. Null where traces are off, and for all older rows.

ALTER TABLE notifications ADD COLUMN IF NOT EXISTS traceparent text;
ALTER TABLE card_webhooks ADD COLUMN IF NOT EXISTS traceparent text;
