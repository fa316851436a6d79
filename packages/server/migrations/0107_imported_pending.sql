-- compatible_from: 0.1.0
-- Notes the orders that are imported pending, which may be older than the kept sums of orders.

CREATE TRIGGER collection_orders_late_import BEFORE INSERT ON collection_orders
  FOR EACH ROW WHEN (NEW.status = 'pending' AND NEW.fee_status = 'legacy') EXECUTE FUNCTION note_late_change();
