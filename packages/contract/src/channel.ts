/** The directory of channels that a merchant’s orders can use. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, OneOf, Text } from './scalars.ts';

/** One entry of the directory. Its name is no identifier, and there are two providers. */
export const PaymentChannel = Type.Object(
  {
    payment_no: Text(
      'The channel’s identifier. Send it when you create an order to restrict the order to this channel.',
    ),
    name: Text('The channel’s name, for display. It is not an identifier.'),
    provider: OneOf(['ptk', 'cardprov'], '`ptk`: the platform’s own token; `cardprov`: the card provider.'),
    owner: OneOf(['platform', 'merchant'], 'Who collects the money: the platform or you.'),
    currency: CurrencyCode(
      'The channel’s usual currency, for display. It does not decide the precision or whether an invoice is ' +
        'accepted.',
    ),
    login_required: Type.Boolean({
      description:
        'Whether the channel requires the buyer to sign in. Your guest setting applies in addition.',
    }),
    test_mode: Type.Boolean({ description: 'Whether this is a test channel. Test channels charge nothing.' }),
  },
  {
    title: 'PaymentChannel',
    description: 'A channel that your orders can use.',
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
  { items: Type.Array(PaymentChannel, { description: 'The channels; empty if none is available.' }) },
  { title: 'PaymentChannelList', description: 'The channel directory. It contains no quotes.' },
);
export type PaymentChannelList = Static<typeof PaymentChannelList>;
