-- What is kept for 90 days only: webhooks as they came, and the single attempts to deliver a notification.

CREATE INDEX card_webhooks_old ON card_webhooks (received_at) WHERE due_at IS NULL;
CREATE INDEX notification_attempts_old ON notification_attempts (merchant_id, started_at);
