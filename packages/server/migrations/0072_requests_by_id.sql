-- compatible_from: 0.1.0
-- mode: statements
-- A merchant's requests by their id, for both searches and the list. A client may use an id again.

CREATE INDEX CONCURRENTLY IF NOT EXISTS api_requests_by_id ON api_requests (merchant_id, request_id, seen_id);
