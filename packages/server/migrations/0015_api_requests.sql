-- What a merchant's clients have asked of the API lately, without bodies, queries and tokens. `seen_id` sorts by the time
-- of the answer; the id of a request may have been chosen by its client, so that it need not be unique.
CREATE TABLE api_requests (
  merchant_id uuid NOT NULL,
  seen_id text NOT NULL,
  request_id text NOT NULL,
  at timestamptz NOT NULL,
  client_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  error text,
  duration_ms integer NOT NULL,
  PRIMARY KEY (merchant_id, seen_id)
) /* by merchant_id */;
