-- compatible_from: 0.1.0
-- People are told by mail of scheduled exports that fail and that arrive again.

ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind;
ALTER TABLE account_notices ADD CONSTRAINT account_notices_kind CHECK (kind IN (
  'password_changed', 'new_device', 'factor_added', 'factor_removed', 'role_given', 'secret_changed', 'owner_added',
  'receiver_failing', 'receiver_recovered', 'export_failing', 'export_recovered')) NOT VALID;
