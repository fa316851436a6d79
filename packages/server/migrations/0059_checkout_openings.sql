-- compatible_from: 0.1.0
-- When the checkout of an order was first opened: the second step of the merchants' funnel. Kept apart from the order, so
-- that opening a page changes no order and waits for no lock of one.
CREATE TABLE checkout_openings (
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  opened_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, order_no)
) /* by merchant_id */;
