-- What the shop keeps. Amounts are numeric, which the driver gives as text: they never become binary fractions.

CREATE TABLE IF NOT EXISTS products (
  sku text PRIMARY KEY,
  title text NOT NULL,
  about text NOT NULL,
  price numeric(12, 2) NOT NULL CHECK (price > 0),
  currency text NOT NULL
);

-- An order has the id that its product page was shown with, so a form that is sent twice makes one order.
CREATE TABLE IF NOT EXISTS orders (
  order_id text PRIMARY KEY,
  sku text NOT NULL REFERENCES products,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 9),
  total numeric(12, 2) NOT NULL,
  currency text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Set once, by the first posting: what is delivered is delivered once.
  delivered_at timestamptz
);

-- Each attempt to be paid is one collection order. Its key is stored before Paydesk is called, so a call without an answer
-- can be repeated.
CREATE TABLE IF NOT EXISTS attempts (
  idempotency_key text PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  number integer NOT NULL,
  order_no text UNIQUE,
  checkout_url text,
  status text NOT NULL DEFAULT 'pending',
  status_version integer,
  posted_event_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz,
  UNIQUE (order_id, number)
);

-- One row for each payment, whatever arrives how often: the key makes a second one impossible.
CREATE TABLE IF NOT EXISTS postings (
  event_id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  order_no text NOT NULL,
  amount numeric(12, 2) NOT NULL,
  currency text NOT NULL,
  posted_at timestamptz NOT NULL DEFAULT now(),
  -- 'refunded' or 'chargeback' once the payment has gone back.
  reversed_as text
);

-- Notifications as they came, before anything is done with them.
CREATE TABLE IF NOT EXISTS notifications (
  id text PRIMARY KEY,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

-- What a person has to look at.
CREATE TABLE IF NOT EXISTS findings (
  key text PRIMARY KEY,
  detail text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS reconciliations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  compared integer NOT NULL,
  differing jsonb NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO products (sku, title, about, price, currency) VALUES
  ('night-reader', 'The Night Reader', 'Twelve stories for people who should be asleep. Paperback, 240 pages.', 12.50, 'USD'),
  ('harbour-lamp', 'Harbour Lamp', 'A small brass lamp for the bedside. Warm light, no screen.', 48.00, 'USD'),
  ('sea-atlas', 'An Atlas of Quiet Seas', 'Maps of places where little happens. Cloth, 96 plates.', 29.90, 'USD')
ON CONFLICT (sku) DO NOTHING;
