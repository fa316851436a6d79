-- The pictures of merchants, as buyers are shown them: fetched by a worker from where the merchant keeps them, and served
-- from our own origin, so that a buyer's page loads nothing from elsewhere. The row of an address appears with it and
-- goes with it; `content` is null until it was fetched, and where it could not be (`problem`).
CREATE TABLE merchant_logos (
  merchant_id uuid NOT NULL,
  source_url text NOT NULL,
  -- When a worker looks at it next.
  due_at timestamptz NOT NULL,
  content_hash text,
  content_type text,
  content bytea,
  problem text,
  PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_logos_whole CHECK (num_nulls(content_hash, content_type, content) IN (0, 3)),
  CONSTRAINT merchant_logos_size CHECK (octet_length(content) BETWEEN 1 AND 131072),
  CONSTRAINT merchant_logos_type CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp'))
) /* by merchant_id */;
CREATE INDEX merchant_logos_due ON merchant_logos (due_at);

INSERT INTO merchant_logos (merchant_id, source_url, due_at)
  SELECT merchant_id, logo_url, '-infinity' FROM merchants WHERE logo_url <> '';

-- The grams of a product are ten times as long as its text, and only the index reads them: they lie apart from the rows,
-- so that a search that looks at thousands of rows reads a tenth of the pages. Set on the parts where a table has some.
ALTER TABLE product_search ALTER COLUMN grams SET STORAGE EXTERNAL;
ALTER TABLE product_search ALTER COLUMN folded SET STORAGE MAIN;
DO $$
DECLARE leaf regclass;
BEGIN
  FOR leaf IN
    SELECT oid::regclass FROM pg_class WHERE oid = 'product_search'::regclass AND relkind = 'r'
    UNION ALL
    SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'product_search'::regclass
  LOOP
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 512)', leaf);
  END LOOP;
END $$;
