-- Notifications that were given up, by age: what a merchant's console lists and replays. Events that are delivered in
-- the ordinary way never enter it. Not concurrently: a migration is one transaction, and few rows qualify.
CREATE INDEX notifications_failed ON notifications (merchant_id, event_id) WHERE delivery_status = 'failed';
