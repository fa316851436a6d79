-- compatible_from: 0.1.0
-- mode: batches
-- The balances of single orders, withdrawals and cases that came to zero: nothing reads them, and the service no longer keeps
-- any. A balance of zero and no balance are the same to every release.

WITH batch AS (
  SELECT merchant_id, account, ref, balance FROM ledger_balances
  WHERE (merchant_id, account, ref) > (coalesce(nullif(split_part($1, ' ', 1), ''), '00000000-0000-0000-0000-000000000000')::uuid,
    split_part($1, ' ', 2), split_part($1, ' ', 3))
  ORDER BY merchant_id, account, ref LIMIT 2000
), ended AS (
  DELETE FROM ledger_balances b USING batch e
  WHERE b.merchant_id = e.merchant_id AND b.account = e.account AND b.ref = e.ref
    AND e.ref <> '' AND e.balance = 0 AND b.balance = 0
)
SELECT merchant_id || ' ' || account || ' ' || ref AS last FROM batch ORDER BY merchant_id DESC, account DESC, ref DESC LIMIT 1;
