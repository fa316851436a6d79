-- What a payment need not do. The guards of several writes are compared where they are counted, see docs/adr/0001: a
-- function is called for the one that does not hold, no longer for those that do.

-- Raises PD001; the detail is the place of the write whose guard did not hold.
CREATE FUNCTION refuse_write(place integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'write % touched too many rows or too few', place USING ERRCODE = 'PD001', DETAIL = place;
END $$;
DROP FUNCTION demand_rows(integer[], integer[]);

-- Providers name a payment by their own number; a payment in PTK has none but the order's.
DROP INDEX payment_attempts_by_trade;
CREATE INDEX payment_attempts_by_trade ON payment_attempts (provider_trade_no, payment_no)
  WHERE provider <> 'ptk' AND provider_trade_no IS NOT NULL;
