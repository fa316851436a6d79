/** Bodies of the console’s calls about payment links. */
import Type, { type Static } from 'typebox';
import {
  CurrencyCode,
  DecimalText,
  Instant,
  nextCursor,
  OneOf,
  optionalOrNull,
  orNull,
  Text,
} from '../scalars.ts';

const amount = Type.String({
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  maxLength: 64,
  description: 'A decimal string, within the range and the precision of the currency.',
});

/** A request for a payment link. */
export const NewPaymentLink = Type.Object(
  {
    currency: CurrencyCode('The upper-case code of an enabled currency.'),
    amount: optionalOrNull({ ...amount, description: 'The amount to pay. Without it, visitors enter one.' }),
    min_amount: optionalOrNull({ ...amount, description: 'The least amount that a visitor may enter.' }),
    max_amount: optionalOrNull({ ...amount, description: 'The largest amount that a visitor may enter.' }),
    description: optionalOrNull(
      Type.String({
        'x-max-bytes': 500,
        description: 'What is paid for; visitors see it. At most 500 bytes.',
      }),
    ),
    external_reference: optionalOrNull(
      Type.String({
        'x-max-bytes': 191,
        description:
          'The reference of all orders of the link; by default the link itself. At most 191 bytes.',
      }),
    ),
    return_url: optionalOrNull(
      Type.String({ maxLength: 2_048, description: 'Where buyers go after a confirmed payment: HTTPS.' }),
    ),
    order_expires_in: optionalOrNull(
      Type.Integer({
        minimum: 60,
        maximum: 7_200,
        description: 'How long an order of the link can be paid, in seconds; 1800 by default.',
      }),
    ),
    expires_at: optionalOrNull(
      Type.String({
        maxLength: 40,
        description: 'The end of the link, in RFC 3339; without it, there is none.',
      }),
    ),
    max_uses: optionalOrNull(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'How many orders of the link may be open or paid; without it, any number. An order that expires unpaid makes room for another.',
      }),
    ),
  },
  {
    title: 'NewPaymentLink',
    examples: [{ currency: 'USD', amount: '25.00', description: 'Workshop in May', max_uses: 20 }],
  },
);
export type NewPaymentLink = Static<typeof NewPaymentLink>;

const linkExample = {
  link: 'AZyBwqAAcACAAAAAAAAADPw7q1kT4xW2bN9Lw-',
  url: 'https://pay.example.com/pay/AZyBwqAAcACAAAAAAAAADPw7q1kT4xW2bN9Lw-',
  status: 'active',
  external_reference: 'workshop-may',
  description: 'Workshop in May',
  currency: 'USD',
  amount: '25.00',
  min_amount: null,
  max_amount: null,
  return_url: '',
  order_expires_in: 1_800,
  expires_at: null,
  max_uses: 20,
  uses: 3,
  created_at: '2026-03-02T09:30:00.000Z',
  closed_at: null,
};

export const PaymentLink = Type.Object(
  {
    link: Text('Identifies the link: the last part of its address.'),
    url: Text('The address that buyers open.'),
    status: OneOf(
      ['active', 'closed', 'expired', 'used_up'],
      'Whether the link makes orders; if not, why: it was closed, its end has passed, or all its uses are taken.',
    ),
    external_reference: Text('The reference of all orders of the link.'),
    description: Text('What is paid for.'),
    currency: CurrencyCode('The currency of its orders.'),
    amount: orNull(DecimalText('The amount to pay; null if visitors enter one.')),
    min_amount: orNull(DecimalText('The least amount that a visitor may enter; null without one.')),
    max_amount: orNull(DecimalText('The largest amount that a visitor may enter; null without one.')),
    return_url: Text('Where buyers go after a confirmed payment; empty if there is none.'),
    order_expires_in: Type.Integer({ description: 'How long an order can be paid, in seconds.' }),
    expires_at: orNull(Instant('The end of the link; null without one.')),
    max_uses: orNull(
      Type.Integer({ description: 'How many of its orders may be open or paid; null without a limit.' }),
    ),
    uses: Type.Integer({
      minimum: 0,
      description: 'How many orders it has made. At the limit, those that expired unpaid do not count.',
    }),
    created_at: Instant('Time of creation.'),
    closed_at: orNull(Instant('Time when it was closed; null if it was not.')),
  },
  { title: 'PaymentLink', examples: [linkExample] },
);
export type PaymentLink = Static<typeof PaymentLink>;

export const PaymentLinkPage = Type.Object(
  { items: Type.Array(PaymentLink, { description: 'Newest first.' }), next_cursor: nextCursor },
  { title: 'PaymentLinkPage', examples: [{ items: [linkExample] }] },
);
export type PaymentLinkPage = Static<typeof PaymentLinkPage>;
