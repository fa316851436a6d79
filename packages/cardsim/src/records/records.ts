/**
 * The records of the simulator. Amounts are `bigint` minor units; times are Unix seconds of the simulator’s
 * clock.
 */

export type Metadata = { [key: string]: string };

export type LineItemRecord = {
  id: string;
  name: string;
  description: string | null;
  unit_amount: bigint;
  quantity: bigint;
};

export type SessionRecord = {
  id: string;
  /** The hash of the secret key that created it. Other keys cannot see it. */
  account: string;
  livemode: boolean;
  created: number;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_subtotal: bigint;
  amount_total: bigint;
  currency: string;
  client_reference_id: string | null;
  customer_email: string | null;
  locale: string | null;
  submit_type: string | null;
  /** Null if the request named none. Missing in a state that was saved before there was this member. */
  allowed_payment_method_types?: string[] | null;
  payment_method_types: string[];
  metadata: Metadata;
  intent_metadata: Metadata;
  intent_description: string | null;
  line_items: LineItemRecord[];
  success_url: string;
  cancel_url: string | null;
  payment_intent: string | null;
  /** The email address that the payer gave; set when the session completes. */
  payer_email: string | null;
  /** The email address of a payer who has not yet answered the 3-D Secure step. */
  challenge_email: string | null;
  /** When and how an asynchronous payment settles by itself; null if it does not. */
  auto_settle: { at: number; outcome: SettleOutcome } | null;
};

export type SettleOutcome = 'succeeded' | 'failed';

/** `last4` where the method has a number: of the card, or of the bank account. */
export type PaymentMethod =
  | { type: 'card'; brand: string; last4: string; wallet?: string }
  | { type: string; last4: string | null };

/** The provider's codes of a declined card, and what the page says. */
export type Decline = { code: string; decline_code?: string; message: string };

/** A payment intent with its only charge. */
export type PaymentRecord = {
  id: string;
  charge_id: string;
  account: string;
  livemode: boolean;
  session_id: string;
  created: number;
  amount: bigint;
  currency: string;
  status: 'processing' | 'succeeded' | 'requires_payment_method';
  /** Why the issuer declined the card. Missing if the payment was not declined. */
  decline?: Decline;
  method: PaymentMethod;
  payer_email: string;
  amount_refunded: bigint;
  dispute_id: string | null;
  metadata: Metadata;
  description: string | null;
};

export type RefundRecord = {
  id: string;
  account: string;
  payment_intent: string;
  charge_id: string;
  created: number;
  amount: bigint;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
  metadata: Metadata;
};

export type DisputeRecord = {
  id: string;
  account: string;
  livemode: boolean;
  payment_intent: string;
  charge_id: string;
  created: number;
  amount: bigint;
  currency: string;
  status: DisputeStatus;
  /** Missing in a state that was saved before there were these members. */
  reason?: string;
  /** Unix seconds. */
  due_by?: number;
  /** The evidence that was sent so far: texts, and ids of files. */
  evidence?: { [field: string]: string };
  submission_count?: number;
  /** Whether the last evidence came after `due_by`. */
  past_due?: boolean;
};

/** A `warning_…` is an inquiry: the bank asks before it disputes. */
export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';

/** A file that was uploaded. Its content is not kept. */
export type FileRecord = {
  id: string;
  account: string;
  created: number;
  filename: string;
  purpose: string;
  /** Bytes. */
  size: number;
  type: 'pdf' | 'jpg' | 'png';
};

/** An event in the provider’s format. It never changes, so every delivery has the same body. */
export type StripeEvent = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: unknown };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

export type EventRecord = { account: string; event: StripeEvent };

export type WebhookTarget = {
  url: string;
  secret: string;
  /** Receives only events of this account (hash of a secret key); null: events of all accounts. */
  account: string | null;
};

export type IdempotencyRecord = {
  key: string;
  fingerprint: string;
  status: number;
  body: string;
  request_id: string;
  created: number;
};
