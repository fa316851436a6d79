-- compatible_from: 0.1.0
-- Statements of a merchant's wallet that are sent by themselves: what was asked for, and what was sent of each period.

CREATE TABLE statement_exports (
  export_id text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  frequency text NOT NULL,
  time_zone text NOT NULL,
  -- Whether mails have the PDF beside the CSV.
  with_pdf boolean NOT NULL,
  -- The people who get it by mail.
  user_ids uuid[] NOT NULL,
  -- The address that gets it by HTTPS, and the key that signs it; null without one.
  url text,
  secret_box bytea,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The first day of the period that is sent next.
  next_day text NOT NULL,
  -- When it is sent; null while the export is paused.
  next_at timestamptz,
  CONSTRAINT statement_exports_key CHECK ((url IS NULL) = (secret_box IS NULL))
);
CREATE INDEX statement_exports_by_merchant ON statement_exports (merchant_id, export_id);
CREATE INDEX statement_exports_due ON statement_exports (next_at) WHERE next_at IS NOT NULL;

-- One row for each export, period and recipient. The file is made from the books at each attempt and is not kept.
CREATE TABLE statement_deliveries (
  -- Export, period and recipient, so that there is one of each.
  delivery_id text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  export_id text NOT NULL,
  period text NOT NULL,
  time_zone text NOT NULL,
  -- Null: the HTTPS address.
  user_id uuid,
  created_at timestamptz NOT NULL,
  -- When it is tried next; null when it is over.
  due_at timestamptz,
  -- A worker tries it until then; null if none does.
  lease_until timestamptz,
  attempts integer NOT NULL,
  sent_at timestamptz,
  failing_since timestamptz,
  last_http_status integer,
  last_error text
);
CREATE INDEX statement_deliveries_by_export ON statement_deliveries (merchant_id, export_id, created_at);
CREATE INDEX statement_deliveries_due ON statement_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX statement_deliveries_by_time ON statement_deliveries (created_at);
