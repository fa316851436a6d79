/** Disputes at the card provider, as administrators answer them. */
import Type, { type Static } from 'typebox';
import { OrNull, Stamp } from './scalars.ts';

const short = (description: string) => Type.Optional(Type.String({ maxLength: 5_000, description }));
const long = (description: string) => Type.Optional(Type.String({ maxLength: 20_000, description }));

/** The texts of evidence. Their names and lengths are the provider's. */
export const DisputeTexts = Type.Object(
  {
    product_description: long('What was sold, and how it was shown to the buyer.'),
    customer_name: short('The buyer’s name.'),
    customer_email_address: short('The buyer’s email address.'),
    customer_purchase_ip: short('The network address that the buyer paid from.'),
    billing_address: short('The billing address that the buyer gave.'),
    service_date: short('When the service was given, in words that people read.'),
    shipping_address: short('Where it was sent.'),
    shipping_carrier: short('Who carried it, such as `UPS`.'),
    shipping_date: short('When it was sent.'),
    shipping_tracking_number: short('The carrier’s number.'),
    access_activity_log: long('Proof that the buyer used what was sold: times, addresses, what was done.'),
    refund_policy_disclosure: long('How the buyer was shown the refund policy before paying.'),
    refund_refusal_explanation: long('Why the buyer has no right to a refund.'),
    cancellation_policy_disclosure: long('How the buyer was shown the cancellation policy before paying.'),
    cancellation_rebuttal: long('Why the subscription was not cancelled.'),
    duplicate_charge_id: short('The other charge, if the buyer calls this one its duplicate.'),
    duplicate_charge_explanation: long('How the two charges differ.'),
    uncategorized_text: long('Anything else that the bank should know.'),
  },
  {
    title: 'DisputeTexts',
    additionalProperties: false,
    description: 'At most 150,000 characters together.',
  },
);
export type DisputeTexts = Static<typeof DisputeTexts>;
export type DisputeTextField = keyof DisputeTexts;

/** The members of evidence that are files. */
export const disputeFileFields = [
  'receipt',
  'customer_communication',
  'customer_signature',
  'shipping_documentation',
  'service_documentation',
  'refund_policy',
  'cancellation_policy',
  'duplicate_charge_documentation',
  'uncategorized_file',
] as const;
export type DisputeFileField = (typeof disputeFileFields)[number];

const FileField = Type.Enum([...disputeFileFields], { description: 'What the file shows.' });

/** Characters of the base64 of 4,500,000 bytes. */
const mostContent = 6_000_000;

export const DisputeFileUpload = Type.Object({
  field: FileField,
  content: Type.String({
    maxLength: mostContent,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'A PDF, a JPEG or a PNG of at most 4,500,000 bytes, in base64.',
  }),
});
export type DisputeFileUpload = Static<typeof DisputeFileUpload>;

export const EvidenceRequest = Type.Object({
  texts: Type.Optional(DisputeTexts),
  files: Type.Optional(
    Type.Array(FileField, {
      maxItems: disputeFileFields.length,
      description: 'The uploaded files that go along, by what they show; at most 4,500,000 bytes together.',
    }),
  ),
});
export type EvidenceRequest = Static<typeof EvidenceRequest>;

const File = {
  field: FileField,
  content_type: Type.String({ description: 'Its media type, by its content.' }),
  size: Type.Integer({ description: 'Bytes.' }),
};

export const DisputeFileAnswer = Type.Object({
  ...File,
  uploaded_by: Type.String({ description: 'Who uploaded it.' }),
  uploaded_at: Stamp,
});

export const EvidenceAnswer = Type.Object({
  evidence_id: Type.String({ pattern: '^de_', description: 'Identifies this sending.' }),
  status: Type.Enum(['sending', 'sent', 'refused'], {
    description:
      '`sending`: the provider has not confirmed it yet, and workers repeat it. `refused`: the provider does not take it.',
  }),
  texts: DisputeTexts,
  files: Type.Array(Type.Object(File), { description: 'The files that went along.' }),
  asked_by: Type.String({ description: 'Who sent it.' }),
  asked_at: Stamp,
  ended_at: OrNull(Stamp),
  detail: Type.String({ description: 'The latest news, in a few words.' }),
});

export const DisputeAnswer = Type.Object({
  dispute_id: Type.String({ description: 'The provider’s number of the dispute.' }),
  merchant_no: OrNull(Type.String()),
  order_no: OrNull(Type.String({ description: 'The order that was paid.' })),
  case_id: OrNull(Type.String({ description: 'The case that holds the payment, if no order does.' })),
  payment_no: Type.String(),
  test_mode: Type.Boolean(),
  state: Type.String({
    description:
      'The provider’s state, such as `needs_response`, `under_review`, `won` or `lost`. `warning_…` is an inquiry.',
  }),
  stage: Type.Enum(['to_answer', 'under_review', 'ended'], {
    description: '`to_answer`: the bank waits for evidence. `under_review`: the bank decides.',
  }),
  reason: Type.String({ description: 'Why the bank disputes, such as `fraudulent`.' }),
  amount: OrNull(
    Type.String({ description: 'The disputed amount; null if the platform does not know the currency.' }),
  ),
  currency: Type.String(),
  due_by: OrNull(
    Type.String({
      description: 'When the bank stops waiting for evidence, RFC 3339; null if it takes none.',
    }),
  ),
  submissions: Type.Integer({
    description: 'How often evidence was submitted at the provider, here or in its dashboard.',
  }),
  opened_at: Stamp,
  seen_at: Type.String({ description: 'When the provider was asked last, RFC 3339.' }),
});

export const DisputeDetailAnswer = Type.Object({
  ...DisputeAnswer.properties,
  takes_evidence: Type.Boolean({ description: 'Whether evidence can be sent now.' }),
  files: Type.Array(DisputeFileAnswer, { description: 'The files that are uploaded.' }),
  evidence: Type.Array(EvidenceAnswer, { description: 'What was sent, newest first.' }),
});
