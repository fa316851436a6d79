-- compatible_from: 0.1.0
-- Processes whose local clock is off, so that the overview of any process shows all of them. A process renews its row
-- every ten seconds and deletes it when its clock is right again; a row that is not renewed is of a process that ended.

CREATE TABLE clock_alarms (
  process_id uuid PRIMARY KEY,
  process text NOT NULL,
  offset_ms bigint NOT NULL,
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
