-- compatible_from: 0.1.0
-- Top-ups by card are collection orders of the platform's own merchant, whose proceeds go to the wallet of a person.
-- A process that does not know top-ups leaves `wallet_status` behind, so it can neither settle nor refund one.

ALTER TABLE collection_orders
  ADD COLUMN wallet_user_id uuid,
  -- The status that the wallet has followed.
  ADD COLUMN wallet_status text;
ALTER TABLE collection_orders ADD CONSTRAINT collection_orders_wallet_followed CHECK (
  wallet_user_id IS NULL OR status NOT IN ('paid', 'refunded', 'chargeback') OR wallet_status IS NOT DISTINCT FROM status
) NOT VALID;
