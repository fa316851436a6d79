/**
 * Bodies of the administration API. Unknown members are ignored. Amounts in PTK are whole numbers of its eighth
 * decimal, written as strings; `*_minor` are minor units of the currency they belong to.
 */
import Type, { type Static } from 'typebox';

const maxMinor = 9_007_199_254_740_991;

const CurrencyCode = Type.String({ pattern: '^[A-Z]{3,10}$' });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Line = Type.String({ maxLength: 500 });
const Text = Type.String({ maxLength: 10_000 });
const Url = Type.String({ maxLength: 2_048 });
const Id = Type.String({ minLength: 1, maxLength: 100 });
const Instant = Type.String({ maxLength: 40, description: 'RFC 3339' });
/** Why something is done; calls that demand one refuse an empty or missing reason. */
const Reason = Type.String({ maxLength: 2_000 });
/** What the caller calls the operation, so that repeating it does nothing more. */
const Reference = Type.String({ minLength: 1, maxLength: 191, pattern: '^[\\x21-\\x7e]+$' });

/** A whole number of minor units: an integer, or its digits where those exceed what a JSON reader holds exactly. */
const Minor = Type.Union([
  Type.Integer({ minimum: 0, maximum: maxMinor }),
  Type.String({ pattern: '^[0-9]{1,38}$' }),
]);
/** A positive amount of PTK. */
const PtkAmount = Type.String({ pattern: '^0*[1-9][0-9]*$', maxLength: 38 });
/** An amount of PTK that may be zero. */
const PtkLimit = Type.String({ pattern: '^[0-9]{1,38}$' });

export const CurrencySettings = Type.Object({
  decimals: Type.Integer({ minimum: 0, maximum: 8 }),
  enabled: Type.Boolean(),
  min_minor: Type.Optional(Minor),
  max_minor: Type.Optional(Minor),
});
export type CurrencySettings = Static<typeof CurrencySettings>;

export const RateSettings = Type.Object({
  /** The price of 1 PTK in the currency: a decimal string with at most 12 places (D-057). */
  ptk_price: Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,12})?$' }),
  valid_until: Type.Optional(Type.Union([Instant, Type.Null()])),
});
export type RateSettings = Static<typeof RateSettings>;

export const NewUser = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 1_024 }),
  name: Name,
  role: Type.Optional(Type.Enum(['user', 'admin'])),
});
export type NewUser = Static<typeof NewUser>;

/** A decimal string in the currency named beside it. */
const DecimalAmount = Type.String({ maxLength: 40 });
/** What was received for an amount of PTK; absent where nothing was. */
const Paid = Type.Optional(Type.Object({ currency: CurrencyCode, amount: DecimalAmount }));
const move = { amount_ptk: PtkAmount, reference: Reference };

export const TopUpRequest = Type.Object({ ...move, paid: Paid });
export type TopUpRequest = Static<typeof TopUpRequest>;

/** Guarantee returns and credit repayments: between the merchant's own accounts. */
export const WalletMove = Type.Object(move);
export type WalletMove = Static<typeof WalletMove>;

/** From outside unless `source` says otherwise; only then can something have been paid. */
export const GuaranteeDeposit = Type.Object({
  ...move,
  source: Type.Optional(Type.Enum(['external', 'available'])),
  paid: Paid,
});
export type GuaranteeDeposit = Static<typeof GuaranteeDeposit>;

export const RecoveryRepayment = Type.Object({ ...move, paid: Paid });
export type RecoveryRepayment = Static<typeof RecoveryRepayment>;

export const DebtWriteOff = Type.Object({ ...move, reason: Reason });
export type DebtWriteOff = Static<typeof DebtWriteOff>;

/** What a card provider settled: `amount` before its `fees`, in the channel's currency unless one is named. */
export const PayoutReport = Type.Object({
  amount: DecimalAmount,
  fees: DecimalAmount,
  currency: Type.Optional(CurrencyCode),
  reference: Reference,
});
export type PayoutReport = Static<typeof PayoutReport>;

export const WithdrawalRequest = Type.Object({
  merchant_no: Id,
  ...move,
  payout_currency: CurrencyCode,
  payout_amount: DecimalAmount,
});
export type WithdrawalRequest = Static<typeof WithdrawalRequest>;

export const DecisionOnWithdrawal = Type.Object({ decision: Type.Enum(['paid', 'reject']), reason: Reason });
export type DecisionOnWithdrawal = Static<typeof DecisionOnWithdrawal>;

/** A full refund; its amount is always the buyer's total. */
export const RefundRequest = Type.Object({ reason: Reason });
export type RefundRequest = Static<typeof RefundRequest>;

export const ComplaintRequest = Type.Object({ reason: Reason });
export type ComplaintRequest = Static<typeof ComplaintRequest>;

/** Amounts in the payment currency; `loss_amount` defaults to all that is left of the buyer's total. */
export const caseKinds = [
  'mismatch',
  'duplicate_payment',
  'unknown_creation',
  'unmatched_receipt',
  'partial_refund',
  'unfulfillable',
] as const;
export const caseStates = ['waiting', 'open', 'resolved'] as const;
/** What a case of each kind can be resolved by depends on what it holds; any other action is a 409. */
export const caseActions = ['accept', 'refund', 'void', 'absent', 'close'] as const;

export const ResolutionOfCase = Type.Object({ action: Type.Enum([...caseActions]), reason: Reason });
export type ResolutionOfCase = Static<typeof ResolutionOfCase>;

export const DecisionOnComplaint = Type.Object({
  decision: Type.Enum(['dismiss', 'confirm']),
  loss_amount: Type.Optional(DecimalAmount),
  external_cost: Type.Optional(DecimalAmount),
  reason: Reason,
});
export type DecisionOnComplaint = Static<typeof DecisionOnComplaint>;

const profile = {
  logo_url: Type.Optional(Url),
  short_description: Type.Optional(Line),
  description: Type.Optional(Text),
  business_scope: Type.Optional(Line),
  website_url: Type.Optional(Url),
  contact: Type.Optional(Line),
  hold_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 })),
  guest_purchase_allowed: Type.Optional(Type.Boolean()),
};

export const NewMerchant = Type.Object({ name: Name, owner_user_id: Id, ...profile });
export type NewMerchant = Static<typeof NewMerchant>;

/** A new status or credit limit demands a reason. */
export const MerchantChange = Type.Object({
  name: Type.Optional(Name),
  owner_user_id: Type.Optional(Id),
  ...profile,
  status: Type.Optional(Type.Enum(['active', 'inactive'])),
  credit_limit_ptk: Type.Optional(PtkLimit),
  reason: Type.Optional(Reason),
});
export type MerchantChange = Static<typeof MerchantChange>;

export const NewClient = Type.Object({
  merchant_no: Type.Union([Id, Type.Null()]),
  type: Type.Enum(['confidential', 'public']),
  name: Name,
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  redirect_uris: Type.Array(Url, { maxItems: 20 }),
});
export type NewClient = Static<typeof NewClient>;

export const ScopeChange = Type.Object({
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  reason: Reason,
});
export type ScopeChange = Static<typeof ScopeChange>;

/** Whatever is left out stays. A public client may become confidential, and is shown its secret then. */
export const ClientChange = Type.Object({
  name: Type.Optional(Name),
  redirect_uris: Type.Optional(Type.Array(Url, { maxItems: 20 })),
  disabled: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Literal('confidential')),
  reason: Reason,
});
export type ClientChange = Static<typeof ClientChange>;

export const applicationStates = ['pending', 'approved', 'rejected', 'superseded'] as const;

/** `scopes`: what is approved instead of what was asked for. */
export const DecisionOnScopes = Type.Object({
  decision: Type.Enum(['approve', 'reject']),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
  reason: Reason,
});
export type DecisionOnScopes = Static<typeof DecisionOnScopes>;

const FeeRule = Type.Object({
  fixed_minor: Minor,
  percent_ppm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  cap_minor: Type.Optional(Type.Union([Minor, Type.Null()])),
});

const Fees = Type.Array(Type.Object({ currency: CurrencyCode, buyer: FeeRule, merchant: FeeRule }), {
  maxItems: 100,
});

/** Printable without spaces: it travels in a header. */
const ProviderSecret = Type.Union([Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }), Type.Null()]);

/** The account at the card provider. Keys go in and never come out; null takes one away. */
const ProviderAccount = Type.Object({
  api_base: Type.Optional(Url),
  secret_key: Type.Optional(ProviderSecret),
  webhook_secret: Type.Optional(ProviderSecret),
});

const changeable = {
  test_mode: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  login_required: Type.Optional(Type.Boolean()),
  supported_currencies: Type.Optional(Type.Array(CurrencyCode, { maxItems: 100 })),
  config: Type.Optional(ProviderAccount),
};

export const NewChannel = Type.Object({
  owner: Type.Enum(['platform', 'merchant']),
  merchant_no: Type.Optional(Type.Union([Id, Type.Null()])),
  provider: Type.Enum(['ptk', 'cardprov']),
  name: Name,
  currency: CurrencyCode,
  fees: Fees,
  ...changeable,
});
export type NewChannel = Static<typeof NewChannel>;

/** Members that are left out stay as they are; a list of fees replaces the whole list. */
export const ChannelChange = Type.Object({
  owner: Type.Optional(Type.Enum(['platform', 'merchant'])),
  merchant_no: Type.Optional(Type.Union([Id, Type.Null()])),
  provider: Type.Optional(Type.Enum(['ptk', 'cardprov'])),
  name: Type.Optional(Name),
  currency: Type.Optional(CurrencyCode),
  fees: Type.Optional(Fees),
  ...changeable,
});
export type ChannelChange = Static<typeof ChannelChange>;

/** Replaces both lists; an empty list names nobody. */
export const DebugGrants = Type.Object({
  merchants: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
  users: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
});
export type DebugGrants = Static<typeof DebugGrants>;

export const SecretRotation = Type.Object({
  webhook_secret: Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
});
export type SecretRotation = Static<typeof SecretRotation>;

/** Exactly one of the two. */
export const ClockMove = Type.Object({
  now: Type.Optional(Instant),
  advance_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type ClockMove = Static<typeof ClockMove>;

// ------------------------------------------------------------------ answers

const Stamp = Type.String({ description: 'RFC 3339 in UTC' });
const Digits = Type.String({ pattern: '^[0-9]+$' });
const OrNull = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()]);

/** A page of a list; without `next_cursor` it is the last. */
export const PageOf = <T extends Type.TSchema>(Item: T) =>
  Type.Object({ items: Type.Array(Item), next_cursor: Type.Optional(Type.String()) });

export const CurrencyAnswer = Type.Object({
  code: Type.String(),
  decimals: Type.Integer(),
  enabled: Type.Boolean(),
  min_minor: Type.Integer(),
  max_minor: Type.Integer(),
});

export const RateAnswer = Type.Object({
  code: Type.String(),
  ptk_price: Type.String(),
  valid_until: OrNull(Stamp),
});

export const UserAnswer = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum(['user', 'admin']),
  created_at: Stamp,
});

export const UserWalletAnswer = Type.Object({ available_ptk: Digits });

export const MerchantAnswer = Type.Object({
  merchant_no: Type.String(),
  name: Type.String(),
  owner_user_id: Type.String(),
  status: Type.Enum(['active', 'inactive']),
  hold_days: Type.Integer(),
  guest_purchase_allowed: Type.Boolean(),
  credit_limit_ptk: Digits,
  logo_url: Type.String(),
  short_description: Type.String(),
  description: Type.String(),
  business_scope: Type.String(),
  website_url: Type.String(),
  contact: Type.String(),
  created_at: Stamp,
});

export const MerchantWalletAnswer = Type.Object({
  available_ptk: Digits,
  held_ptk: Digits,
  frozen_ptk: Digits,
  guarantee_ptk: Digits,
  fee_reserved_ptk: Digits,
  credit_limit_ptk: Digits,
  credit_drawn_ptk: Digits,
  recovery_ptk: Digits,
  withdrawal_pending_ptk: Digits,
});

export const PayoutAnswer = Type.Object({
  payment_no: Type.String(),
  reference: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  fees: Type.String(),
});

export const WithdrawalAnswer = Type.Object({
  withdrawal_id: Type.String({ pattern: '^wd_' }),
  merchant_no: Type.String(),
  reference: Type.String(),
  amount_ptk: Digits,
  payout_currency: Type.String(),
  payout_amount: Type.String(),
  status: Type.Enum(['pending', 'paid', 'rejected']),
  requested_at: Stamp,
  decided_at: OrNull(Stamp),
});

export const RefundAnswer = Type.Object({
  refund_id: Type.String({ pattern: '^rf_' }),
  order_no: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  /** `partial` was not asked for: another amount than was paid has gone back at the provider. */
  status: Type.Enum(['pending', 'succeeded', 'failed', 'partial']),
  provider_refund_id: OrNull(Type.String()),
  detail: Type.String(),
  requested_at: Stamp,
  ended_at: OrNull(Stamp),
});

export const ComplaintAnswer = Type.Object({
  complaint_id: Type.String({ pattern: '^cp_' }),
  order_no: Type.String(),
  source: Type.Enum(['platform', 'provider']),
  dispute_id: OrNull(Type.String()),
  reason: Type.String(),
  status: Type.Enum(['open', 'dismissed', 'confirmed', 'closed']),
  currency: Type.String(),
  loss_amount: OrNull(Type.String()),
  external_cost: OrNull(Type.String()),
  opened_at: Stamp,
  decided_at: OrNull(Stamp),
});

export const ClientAnswer = Type.Object({
  client_id: Type.String(),
  /** Only where the client was created just now; it is not kept and cannot be shown again. */
  client_secret: Type.Optional(Type.String()),
  merchant_no: OrNull(Type.String()),
  name: Type.String(),
  type: Type.Enum(['confidential', 'public']),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  created_at: Stamp,
});

export const ScopeApplicationAnswer = Type.Object({
  application_id: Type.String({ pattern: '^sa_' }),
  /** As it is now: its scopes are those in force. */
  client: ClientAnswer,
  scopes: Type.Array(Type.String()),
  status: Type.Enum([...applicationStates]),
  requested_by: Type.String(),
  requested_at: Stamp,
  decided_by: OrNull(Type.String()),
  decided_at: OrNull(Stamp),
  reason: OrNull(Type.String()),
  approved_scopes: OrNull(Type.Array(Type.String())),
});

const FeeRuleAnswer = Type.Object({
  fixed_minor: Digits,
  percent_ppm: Type.Integer(),
  cap_minor: OrNull(Digits),
});

export const ChannelAnswer = Type.Object({
  payment_no: Type.String(),
  owner: Type.Enum(['platform', 'merchant']),
  merchant_no: OrNull(Type.String()),
  provider: Type.Enum(['ptk', 'cardprov']),
  name: Type.String(),
  currency: Type.String(),
  test_mode: Type.Boolean(),
  enabled: Type.Boolean(),
  login_required: Type.Boolean(),
  supported_currencies: Type.Array(Type.String()),
  fees: Type.Array(Type.Object({ currency: Type.String(), buyer: FeeRuleAnswer, merchant: FeeRuleAnswer })),
  debug_grants: Type.Object({ merchants: Type.Array(Type.String()), users: Type.Array(Type.String()) }),
  /** Of the provider account, only what is no secret. */
  config: Type.Optional(
    Type.Object({
      api_base: Type.String(),
      live_key: Type.Boolean(),
      secret_key_set: Type.Boolean(),
      webhook_secret_set: Type.Boolean(),
      previous_webhook_secret_valid_until: OrNull(Stamp),
    }),
  ),
  /** Where the provider is to send its webhooks; card channels only. */
  webhook_url: Type.Optional(Type.String()),
  created_at: Stamp,
});

const Json = Type.Record(Type.String(), Type.Unknown());

/** Something that a person has to look at. Amounts are decimal strings in the currency, and in its minor units. */
export const CaseAnswer = Type.Object({
  case_id: Type.String(),
  kind: Type.Enum([...caseKinds]),
  state: Type.Enum([...caseStates]),
  /** Null for what stands in the platform's own book. */
  merchant_no: OrNull(Type.String()),
  order_no: Type.Optional(Type.String()),
  attempt_id: Type.Optional(Type.String()),
  payment_no: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  provider_payment_id: Type.Optional(Type.String()),
  /** What came in or is in question; without the decimal string where the currency is none of the platform's. */
  amount: Type.Optional(Type.String()),
  amount_minor: Type.Optional(Digits),
  currency: Type.Optional(Type.String()),
  test_mode: Type.Boolean(),
  /** Whether its money was booked to suspense. */
  booked: Type.Boolean(),
  opened_at: Stamp,
  paid_at: OrNull(Stamp),
  resolved_at: OrNull(Stamp),
  /** What was decided, or is being carried out; `cleared` where nobody had to. */
  resolution: OrNull(Type.Enum([...caseActions, 'cleared'])),
  reason: OrNull(Type.String()),
  refund: OrNull(
    Type.Object({
      status: Type.Enum(['pending', 'succeeded']),
      amount_minor: Digits,
      provider_refund_id: OrNull(Type.String()),
    }),
  ),
  /** What was asked of the provider, what it has, and why that is a case. */
  detail: Json,
});

/** Everything about an order. Amounts are decimal strings in the currency named beside them. */
export const OrderDetailAnswer = Type.Object({
  order: Json,
  merchant_no: Type.String(),
  quotes: Type.Array(Json),
  attempts: Type.Array(Json),
  /** What was set aside for payments through the merchant's own account. */
  fee_reservations: Type.Array(
    Type.Object({
      attempt_id: Type.String(),
      state: Type.Enum(['reserved', 'captured', 'released', 'captured_late']),
      fee_ptk: Digits,
      /** The two parts it was raised from. */
      available_ptk: Digits,
      credit_ptk: Digits,
      reserved_at: Stamp,
      released_at: OrNull(Stamp),
      captured_at: OrNull(Stamp),
    }),
  ),
  postings: Type.Array(
    Type.Object({
      posting: Type.String(),
      case_key: Type.String(),
      leg: Type.Integer(),
      debit: Type.String(),
      credit: Type.String(),
      currency: Type.String(),
      amount: Type.String(),
      amount_minor: Digits,
      test_mode: Type.Boolean(),
      at: Stamp,
      /** What happened, what this transfer of it is, and what it goes from and to, in words. */
      why: Type.String(),
      what: Type.String(),
      from: Type.String(),
      to: Type.String(),
    }),
  ),
  /** What the postings come to: sums of the lines above, and nothing else. */
  money: Type.Object({
    hold: OrNull(Type.Object({ release_at: Stamp, released_at: OrNull(Stamp) })),
    totals: Type.Array(
      Type.Object({
        total: Type.String(),
        about: Type.String(),
        currency: Type.String(),
        amount: Type.String(),
        amount_minor: Type.String(),
      }),
    ),
    accounts: Type.Array(
      Type.Object({
        account: Type.String(),
        about: Type.String(),
        currency: Type.String(),
        debited: Type.String(),
        debited_minor: Digits,
        credited: Type.String(),
        credited_minor: Digits,
        /** On the side on which the account grows; negative where it holds less than before. */
        change: Type.String(),
        change_minor: Type.String(),
      }),
    ),
  }),
  refunds: Type.Array(RefundAnswer),
  complaints: Type.Array(ComplaintAnswer),
  notifications: Type.Array(Json),
  cases: Type.Array(CaseAnswer),
});

/** The same of an order of a product, without the notifications, which it has none of. */
export const CatalogOrderDetailAnswer = Type.Object({
  order: Json,
  merchant_no: Type.String(),
  quotes: OrderDetailAnswer.properties.quotes,
  attempts: OrderDetailAnswer.properties.attempts,
  fee_reservations: OrderDetailAnswer.properties.fee_reservations,
  postings: OrderDetailAnswer.properties.postings,
  money: OrderDetailAnswer.properties.money,
  refunds: OrderDetailAnswer.properties.refunds,
  complaints: OrderDetailAnswer.properties.complaints,
  cases: OrderDetailAnswer.properties.cases,
});

export const JobAnswer = Type.Object({ processed: Type.Integer() });

export const VerificationAnswer = Type.Object({
  ok: Type.Boolean(),
  entries: Type.Integer(),
  /** All that is wrong, the two lists below included, each in words. */
  findings: Type.Array(
    Type.Object({
      kind: Type.String(),
      /** A merchant's number or `platform`; null for a person's wallet. */
      book: OrNull(Type.String()),
      subject: Type.String(),
      words: Type.String(),
    }),
  ),
  imbalances: Type.Array(
    Type.Object({
      book: Type.String(),
      subject: Type.String(),
      posting: Type.String(),
      currency: Type.String(),
      legs: Type.Integer(),
    }),
  ),
  drift: Type.Array(
    Type.Object({
      owner: Type.String(),
      account: Type.String(),
      currency: Type.String(),
      /** Minor units of the currency. */
      stored_minor: Type.String(),
      rebuilt_minor: Type.String(),
      /** The same, where the currency is PTK. */
      stored_ptk: Type.Optional(Type.String()),
      rebuilt_ptk: Type.Optional(Type.String()),
    }),
  ),
});

export const AuditAnswer = Type.Object({
  audit_id: Type.String(),
  at: Stamp,
  /** `key`, or `user:` and the administrator's id. */
  actor: Type.String(),
  action: Type.String(),
  target: Type.String(),
  reason: OrNull(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

export const ClockAnswer = Type.Object({ now: Stamp, offset_seconds: Type.Number() });

/** `limit` of a list, as every list reads it. */
export const ListLimit = Type.Integer({ minimum: 1, maximum: 100, default: 20 });

export const NotificationBacklogAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      merchant_no: Type.String(),
      name: Type.String(),
      due: Type.Integer(),
      oldest_due_at: Stamp,
    }),
  ),
});
