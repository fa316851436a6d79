-- Append-only tables refuse TRUNCATE too. A trigger for rows does not fire then, so each table gets one for the statement.
-- Lines of personal wallets and used references are append-only as well.

CREATE TRIGGER user_wallet_lines_append_only BEFORE UPDATE OR DELETE ON user_wallet_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posted_references_append_only BEFORE UPDATE OR DELETE ON posted_references
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ledger_transfers_no_truncate BEFORE TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER seals_no_truncate BEFORE TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER user_wallet_lines_no_truncate BEFORE TRUNCATE ON user_wallet_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posted_references_no_truncate BEFORE TRUNCATE ON posted_references
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
