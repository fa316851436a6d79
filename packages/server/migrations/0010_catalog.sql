-- What merchants sell.

CREATE TABLE products (
  merchant_id uuid NOT NULL,
  -- Rises with time.
  gd_no text NOT NULL,
  gd_name text NOT NULL,
  gd_description text NOT NULL,
  -- Words that a search finds it by and nobody is shown.
  keywords text NOT NULL,
  -- For one: an amount of the currency times 10^8, whatever its own precision.
  actual_price numeric(40,0) NOT NULL,
  retail_price numeric(40,0) NOT NULL,
  currency text NOT NULL,
  -- What is not sold, ordered or set aside yet.
  in_stock integer NOT NULL,
  -- 0: no limit.
  buy_limit_num integer NOT NULL,
  payment_policy text NOT NULL,
  payment_methods text[] NOT NULL,
  -- "key=label=required[=placeholder]" and "min_qty=unit_price", as they were checked.
  other_ipu_cnf text[] NOT NULL,
  wholesale_price_cnf text[] NOT NULL,
  buy_prompt text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, gd_no),
  CONSTRAINT products_stock CHECK (in_stock >= 0 AND buy_limit_num >= 0),
  CONSTRAINT products_price CHECK (actual_price > 0 AND retail_price >= 0),
  CONSTRAINT products_policy CHECK (
    payment_policy IN ('automatic', 'allowlist')
    AND (payment_policy = 'allowlist') = (cardinality(payment_methods) > 0))
) /* by merchant_id */;

-- What lists and searches read, apart from the stock, which every order changes: one row for each product. The grams
-- are numbers for the sequences of one, two and three characters in the text, made with the merchant's id, so that
-- the index keeps merchants apart.
CREATE TABLE product_search (
  merchant_id uuid NOT NULL,
  gd_no text NOT NULL,
  enabled boolean NOT NULL,
  -- Name, description and keywords, folded.
  folded text NOT NULL,
  grams integer[] NOT NULL,
  PRIMARY KEY (merchant_id, gd_no)
) /* by merchant_id */;
CREATE INDEX product_search_enabled ON product_search (merchant_id, gd_no) WHERE enabled;
CREATE INDEX product_search_grams ON product_search USING gin (grams);

-- Rises with every change to a merchant's products, their stock aside: what was counted under a number stays true as
-- long as it is the current one.
CREATE TABLE catalog_versions (
  merchant_id uuid NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (merchant_id)
) /* by merchant_id */;
