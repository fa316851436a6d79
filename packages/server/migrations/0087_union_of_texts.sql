-- compatible_from: 0.1.0
-- The scopes of a consent and those that are added to it. A function, because an engine that distributes tables refuses an
-- INSERT with a query inside (docs/scaling.md).

CREATE FUNCTION union_of(known text[], others text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS
  'SELECT ARRAY(SELECT DISTINCT unnest(known || others) ORDER BY 1)';
