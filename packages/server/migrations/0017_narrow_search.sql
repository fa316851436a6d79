-- Rows of product_search without their grams: PostgreSQL moves values out of line only in rows beyond 2 kB, and most
-- texts are shorter than that with their grams. `bulk` makes every row as long, and compresses to a few bytes itself. A
-- search that looks at thousands of rows then reads a fourth of the pages.
ALTER TABLE product_search ADD COLUMN bulk text GENERATED ALWAYS AS (repeat(' ', 2000)) STORED;

-- The products of a merchant that contain a folded text (D-188), in no order. The index finds them by their grams, however
-- many they are: to read the whole table instead, as the planner would for a text that nearly all contain, means to
-- fetch the grams of each row. Planned anew each time, as merchants with a few products and with very many share it.
CREATE FUNCTION found_products(of_merchant uuid, disabled_too boolean, needle text, needle_grams integer[], behind text)
  RETURNS SETOF text LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY SELECT s.gd_no FROM product_search s
    WHERE s.merchant_id = of_merchant AND (disabled_too OR s.enabled) AND (behind IS NULL OR s.gd_no < behind)
      AND strpos(s.folded, needle) > 0 AND s.grams @> needle_grams;
END $$;
