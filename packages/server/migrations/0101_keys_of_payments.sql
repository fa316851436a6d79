-- compatible_from: 0.1.0
-- The indexes collection_orders_foreign_trade and collection_orders_by_event keep trade numbers and events single. Searches of
-- the release before for a trade number have no index until it is gone; nothing else asks for one.

ALTER TABLE collection_orders DROP CONSTRAINT IF EXISTS collection_orders_trade, DROP CONSTRAINT IF EXISTS collection_orders_event;
