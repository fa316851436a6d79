-- compatible_from: 0.1.0
-- Mails to buyers about their orders, in their language.

-- The language in which a person signed in last; null where it is not known.
ALTER TABLE users ADD COLUMN locale text;

-- Mails to buyers about an order: what waits, and what was sent. A kind of mail goes once for an order; a receipt that is
-- sent to an address that somebody typed has a number of its own.
CREATE TABLE buyer_mails (
  mail_id text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  order_no text NOT NULL,
  kind text NOT NULL,
  -- Null for the person who paid. Sealed, and gone as soon as the mail was sent or given up.
  address_box bytea,
  -- The language of the page where the address was typed.
  locale text,
  created_at timestamptz NOT NULL,
  -- When it is sent next, in real time; null once it is done.
  due_at timestamptz,
  tries smallint NOT NULL,
  -- How it ended: sent, nobody (there is no one to write to), given-up.
  outcome text,
  done_at timestamptz
);
CREATE INDEX buyer_mails_due ON buyer_mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX buyer_mails_by_order ON buyer_mails (merchant_id, order_no);
CREATE INDEX buyer_mails_by_end ON buyer_mails (done_at) WHERE done_at IS NOT NULL;
