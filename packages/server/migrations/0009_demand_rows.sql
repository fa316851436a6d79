-- The guards of several writes, checked where they run, so that COMMIT can travel behind them: see docs/adr/0001.

-- Raises PD001 unless every write touched as many rows as it must; the detail is the place of the first that did not.
CREATE FUNCTION demand_rows(touched integer[], wanted integer[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF touched = wanted THEN
    RETURN true;
  END IF;
  FOR i IN 1 .. cardinality(wanted) LOOP
    IF touched[i] IS DISTINCT FROM wanted[i] THEN
      RAISE EXCEPTION 'a guarded write touched % rows, not %', touched[i], wanted[i]
        USING ERRCODE = 'PD001', DETAIL = i - 1;
    END IF;
  END LOOP;
  RETURN true;
END $$;
