-- compatible_from: 0.1.0
-- Marks catalog orders that a restore had lost and that were made again. Their buyers may have the goods already, so no
-- worker hands out codes for them.

ALTER TABLE catalog_orders ADD COLUMN made_again boolean NOT NULL DEFAULT false;
