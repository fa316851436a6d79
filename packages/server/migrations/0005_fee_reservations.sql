-- Fees that merchants owe for payments through their own accounts at the card provider.

-- What was set aside for one attempt before the provider was asked for a payment page: out of the wallet first, then
-- out of the credit line. Ends once, with the attempt; a payment that is verified after a release takes the fee late.
CREATE TABLE payment_fee_reservations (
  merchant_id uuid NOT NULL,
  attempt_id text NOT NULL,
  order_no text NOT NULL,
  state text NOT NULL,
  fee_ptk numeric(40,0) NOT NULL,
  -- The two parts it was raised from.
  available_ptk numeric(40,0) NOT NULL,
  credit_ptk numeric(40,0) NOT NULL,
  reserved_at timestamptz NOT NULL,
  released_at timestamptz,
  captured_at timestamptz,
  PRIMARY KEY (merchant_id, attempt_id),
  CONSTRAINT payment_fee_reservations_state CHECK (state IN ('reserved', 'captured', 'released', 'captured_late')),
  CONSTRAINT payment_fee_reservations_parts CHECK (
    fee_ptk > 0 AND available_ptk >= 0 AND credit_ptk >= 0 AND fee_ptk = available_ptk + credit_ptk),
  CONSTRAINT payment_fee_reservations_released CHECK (
    (state IN ('released', 'captured_late')) = (released_at IS NOT NULL)),
  CONSTRAINT payment_fee_reservations_captured CHECK (
    (state IN ('captured', 'captured_late')) = (captured_at IS NOT NULL))
) /* by merchant_id */;
-- An attempt sets aside a fee only after the one before has ended.
CREATE UNIQUE INDEX payment_fee_reservations_open ON payment_fee_reservations (merchant_id, order_no)
  WHERE state = 'reserved';
-- An order's fee is taken once, whichever of its attempts was paid.
CREATE UNIQUE INDEX payment_fee_reservations_taken ON payment_fee_reservations (merchant_id, order_no)
  WHERE state IN ('captured', 'captured_late');
CREATE INDEX payment_fee_reservations_by_order ON payment_fee_reservations (merchant_id, order_no);
