-- compatible_from: 0.1.0
-- mode: statements
-- B-tree indexes of the transactions that sealing reads, instead of BRIN indexes. If the summary of one range of a BRIN index is
-- interrupted (a cancelled autovacuum, a crash), PostgreSQL 18 reads the whole table behind that range until the index is rebuilt.

CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transfers_by_xact ON ledger_transfers (sealed_xact);
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_by_xact ON notifications (sealed_xact);
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_quotes_by_xact ON payment_quotes (sealed_xact);
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_log_by_xact ON audit_log (sealed_xact);
DROP INDEX CONCURRENTLY IF EXISTS ledger_transfers_to_seal;
DROP INDEX CONCURRENTLY IF EXISTS notifications_to_seal;
DROP INDEX CONCURRENTLY IF EXISTS payment_quotes_to_seal;
DROP INDEX CONCURRENTLY IF EXISTS audit_log_to_seal;
