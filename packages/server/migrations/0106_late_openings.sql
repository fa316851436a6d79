-- compatible_from: 0.1.0
-- Notes which checkouts were opened late. This release says itself which were not; the one before says nothing.

ALTER TABLE checkout_openings ALTER COLUMN changed_xact SET DEFAULT (pg_current_xact_id()::text::bigint);
