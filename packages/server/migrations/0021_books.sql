-- What the checks of the books compare.

-- The units of a product that its merchant has put up for sale, sold or not: what is in stock and what orders hold. An
-- order moves units between the two and leaves their sum; only the merchant changes it.
ALTER TABLE products ADD COLUMN supplied bigint;
UPDATE products p SET supplied = p.in_stock + coalesce((
  SELECT sum(o.quantity) FROM catalog_orders o
  WHERE o.merchant_id = p.merchant_id AND o.gd_no = p.gd_no AND o.state <> 'cancelled'), 0);
ALTER TABLE products ALTER COLUMN supplied SET NOT NULL;
