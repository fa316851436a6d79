/** The channels that a merchant's orders can be paid through. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, OneOf, Text } from './scalars.ts';

/** One entry of the directory. */
export const PaymentChannel = Type.Object(
  {
    payment_no: Text('Identifies the channel; what a creation takes to restrict an order to it.'),
    name: Text('What people call it. Never accepted as an identifier.'),
    provider: OneOf(['ptk', 'cardprov'], "`ptk`: the platform's own token; `cardprov`: the card provider."),
    owner: OneOf(['platform', 'merchant'], 'Who collects the money: the platform, or you.'),
    currency: CurrencyCode(
      'Its usual currency, for display. It decides neither the precision nor whether an invoice is accepted.',
    ),
    login_required: Type.Boolean({
      description:
        'Whether the channel itself demands that the buyer signs in. Your guest setting comes on top.',
    }),
    test_mode: Type.Boolean({ description: 'Whether it is a test channel that charges nobody.' }),
  },
  {
    title: 'PaymentChannel',
    description: 'A channel that is available to your orders.',
    examples: [
      {
        payment_no: 'ch_01JNXVZX1B6W3F8Y0M5T2H9KRS',
        name: 'PTK wallet',
        provider: 'ptk',
        owner: 'platform',
        currency: 'PTK',
        login_required: true,
        test_mode: false,
      },
    ],
  },
);
export type PaymentChannel = Static<typeof PaymentChannel>;

export const PaymentChannelList = Type.Object(
  { items: Type.Array(PaymentChannel, { description: 'Empty where no channel is available.' }) },
  { title: 'PaymentChannelList', description: 'The channel directory. It holds no quotes.' },
);
export type PaymentChannelList = Static<typeof PaymentChannelList>;
