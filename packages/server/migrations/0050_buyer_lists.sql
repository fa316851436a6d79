-- compatible_from: 0.1.0
-- mode: statements
-- What buyers see of their payments and their balance.

CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_by_buyer
  ON payment_attempts (buyer_user_id, paid_at, attempt_id) WHERE buyer_user_id IS NOT NULL AND paid_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS user_wallet_lines_by_time ON user_wallet_lines (user_id, at);
