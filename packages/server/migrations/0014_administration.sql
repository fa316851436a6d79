-- What administrators list across all merchants.

-- Orders in states that few ever take, by number. Not concurrently: a migration is one transaction, and few qualify.
CREATE INDEX collection_orders_rare_by_no ON collection_orders (status, order_no)
  WHERE status IN ('review', 'refunded', 'chargeback');
CREATE INDEX payment_refunds_by_id ON payment_refunds (refund_id);

-- The history of one thing, and what one person has done.
CREATE INDEX audit_log_by_target ON audit_log (target, audit_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor, audit_id);
