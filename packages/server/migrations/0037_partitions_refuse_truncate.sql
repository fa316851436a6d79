-- TRUNCATE of a partition of an append-only table is refused, as TRUNCATE of the table is. PostgreSQL gives a partition the
-- triggers for rows of its table, and not those for statements.

-- Gives every partition that lacks it a trigger against TRUNCATE, at any depth. "paydesk grant-role" calls it too, for
-- partitions that were added later. The caller must own the partitions.
CREATE FUNCTION protect_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
  refusal CONSTANT regproc := 'refuse_change'::regproc;
  on_truncate CONSTANT int := 32; -- the bit of pg_trigger.tgtype
BEGIN
  FOR part IN
    SELECT tree.relid FROM pg_trigger t, pg_partition_tree(t.tgrelid) AS tree
    WHERE t.tgfoid = refusal AND t.tgtype & on_truncate <> 0 AND tree.level > 0 AND NOT EXISTS (
      SELECT FROM pg_trigger own
      WHERE own.tgrelid = tree.relid AND own.tgfoid = refusal AND own.tgtype & on_truncate <> 0)
  LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      part);
  END LOOP;
END $$;

SELECT protect_partitions();
