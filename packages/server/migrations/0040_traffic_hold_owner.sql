-- compatible_from: 0.1.0
-- Which run of "paydesk after-restore" puts the books in order while traffic is held. Null: none. A run renews its lease, so
-- that another one can follow a run that was killed.

ALTER TABLE traffic_holds ADD COLUMN run_id text, ADD COLUMN run_until timestamptz;
