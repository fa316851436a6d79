-- compatible_from: 0.1.0
-- The kept sums of orders of all merchants together, for the overview. Whichever release writes sums, a trigger adds them up.

-- The platform's orders by quarters of an hour: what order_sums come to.
CREATE TABLE platform_sums (
  quarter timestamptz NOT NULL,
  currency text NOT NULL,
  currency_decimals smallint NOT NULL,
  created bigint NOT NULL,
  created_paid bigint NOT NULL,
  paid bigint NOT NULL,
  paid_minor numeric(40,0) NOT NULL,
  PRIMARY KEY (quarter, currency, currency_decimals)
);

COMMENT ON TABLE platform_sums IS 'on every node';

-- Where two transactions change the sums of one quarter, a second one with an older snapshot ends with an error: so no change is lost.
CREATE FUNCTION add_to_platform_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The part of a distributed table, order_sums_102008: there no sums count.
  IF TG_TABLE_NAME ~ '_\d+$' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO platform_sums AS p (quarter, currency, currency_decimals, created, created_paid, paid, paid_minor)
      VALUES (OLD.quarter, OLD.currency, OLD.currency_decimals, -OLD.created, -OLD.created_paid, -OLD.paid, -OLD.paid_minor)
      ON CONFLICT (quarter, currency, currency_decimals) DO UPDATE SET created = p.created + excluded.created,
        created_paid = p.created_paid + excluded.created_paid, paid = p.paid + excluded.paid,
        paid_minor = p.paid_minor + excluded.paid_minor;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO platform_sums AS p (quarter, currency, currency_decimals, created, created_paid, paid, paid_minor)
      VALUES (NEW.quarter, NEW.currency, NEW.currency_decimals, NEW.created, NEW.created_paid, NEW.paid, NEW.paid_minor)
      ON CONFLICT (quarter, currency, currency_decimals) DO UPDATE SET created = p.created + excluded.created,
        created_paid = p.created_paid + excluded.created_paid, paid = p.paid + excluded.paid,
        paid_minor = p.paid_minor + excluded.paid_minor;
  END IF;
  RETURN NULL;
END $$;

-- From here on nothing else changes sums, until they are added up below.
CREATE TRIGGER order_sums_of_platform AFTER INSERT OR UPDATE OR DELETE ON order_sums
  FOR EACH ROW EXECUTE FUNCTION add_to_platform_sums();

INSERT INTO platform_sums (quarter, currency, currency_decimals, created, created_paid, paid, paid_minor)
  SELECT quarter, currency, currency_decimals, sum(created), sum(created_paid), sum(paid), sum(paid_minor)
  FROM order_sums GROUP BY quarter, currency, currency_decimals;
