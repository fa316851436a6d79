-- Settings of the whole platform, and writes of money that wait for a second person (issue 15).

-- One row for each setting that an administrator has set; a setting without a row has its default. The table knows no
-- names, so a new setting needs no migration.
CREATE TABLE platform_settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);

-- A write that was asked for and is booked only if another person approves it. `request` holds all that is needed to run
-- it; `subject` names what it would do, so that the same write waits once. `amount_ptk` is null where no rate tells it.
CREATE TABLE approvals (
  approval_id text PRIMARY KEY,
  action text NOT NULL,
  subject text NOT NULL,
  target text NOT NULL,
  amount_ptk numeric(40,0),
  request jsonb NOT NULL,
  reason text,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL,
  status text NOT NULL,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  -- Why an approved write could not be booked any more.
  failure jsonb,
  CONSTRAINT approvals_status CHECK (status IN ('pending', 'approved', 'rejected', 'failed')),
  CONSTRAINT approvals_decided CHECK ((status = 'pending') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT approvals_two_people CHECK (status <> 'approved' OR decided_by <> asked_by),
  CONSTRAINT approvals_failed CHECK ((status = 'failed') = (failure IS NOT NULL))
);
CREATE UNIQUE INDEX approvals_pending ON approvals (action, subject) WHERE status = 'pending';
