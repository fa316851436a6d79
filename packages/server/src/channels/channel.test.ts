import { localeTags } from '@paydesk/checkout';
import { namedMethodTypes } from '@paydesk/checkout/method-names';
import { NewChannel, paymentMethodTypes } from '@paydesk/contract';
import { describe, expect, test } from 'vitest';
import {
  buyer_id,
  feeRule,
  merchant_id,
  noFees,
  other_merchant_id,
  sampleChannel,
  samplePtkChannel,
} from '../../test/support/desks/samples.ts';
import { type Channel, checkChannel } from './channel.ts';
import { grantsMerchant } from './debug-grants.ts';
import { directoryOf, servesMerchant } from './directory.ts';

const test_mode = true;

describe('D-128 R-169 the merchant side of a debug grant', () => {
  test.each<[string, string[], string[], boolean]>([
    ['R-166 neither list', [], [], false],
    ['R-163 this merchant', [merchant_id], [], true],
    ['another merchant', [other_merchant_id], [], false],
    ['R-164 users only: any merchant', [], [buyer_id], true],
    ['R-165 both, this merchant', [merchant_id], [buyer_id], true],
    ['R-165 both, another merchant', [other_merchant_id], [buyer_id], false],
  ])('%s', (_, debug_merchants, debug_users, granted) => {
    expect(grantsMerchant({ debug_merchants, debug_users }, merchant_id)).toBe(granted);
  });
});

describe('which channels serve a merchant', () => {
  test.each<[string, Channel, boolean]>([
    ['a card of the platform', sampleChannel(), true],
    ['PTK', samplePtkChannel(), true],
    ['R-152 its own', sampleChannel({ merchant_id }), true],
    ['R-152 another merchant’s', sampleChannel({ merchant_id: other_merchant_id }), false],
    ['R-158 disabled', sampleChannel({ enabled: false }), false],
    ['R-157 without a webhook secret', sampleChannel({ webhook_secret_box: null }), false],
    ['R-158 without a key', sampleChannel({ secret_key_box: null }), false],
    ['R-166 a test channel without a grant', sampleChannel({ test_mode }), false],
    ['R-163 a test channel with one', sampleChannel({ test_mode, debug_merchants: [merchant_id] }), true],
    ['R-156 its own test channel without a grant', sampleChannel({ test_mode, merchant_id }), false],
  ])('%s', (_, channel, serves) => {
    expect(servesMerchant(channel, merchant_id)).toBe(serves);
    expect(directoryOf([channel], merchant_id)).toHaveLength(serves ? 1 : 0);
  });
});

test('R-151 R-153 R-154 R-155 the directory in the contract’s shape', () => {
  const channels = [
    samplePtkChannel(),
    sampleChannel(),
    sampleChannel({ payment_no: 'ch_own', merchant_id, name: 'Own', login_required: true }),
    sampleChannel({ payment_no: 'ch_test', test_mode, debug_users: [buyer_id] }),
    sampleChannel({ payment_no: 'ch_open_test', test_mode, debug_merchants: [merchant_id] }),
  ];
  const card = { name: 'Card', provider: 'cardprov', owner: 'platform', currency: 'USD' };
  expect(directoryOf(channels, merchant_id)).toEqual([
    {
      payment_no: 'ch_ptk',
      name: 'PTK',
      provider: 'ptk',
      owner: 'platform',
      currency: 'PTK',
      login_required: true,
      test_mode: false,
    },
    { ...card, payment_no: 'ch_card', login_required: false, test_mode: false },
    { ...card, payment_no: 'ch_own', name: 'Own', owner: 'merchant', login_required: true, test_mode: false },
    { ...card, payment_no: 'ch_test', login_required: true, test_mode: true },
    { ...card, payment_no: 'ch_open_test', login_required: false, test_mode: true },
  ]);
});

describe('what an administrator may set', () => {
  const fees = (buyer = feeRule(), merchant = feeRule()) => new Map([['USD', { buyer, merchant }]]);

  test.each<[string, Channel]>([
    ['a card', sampleChannel()],
    ['D-062 the dearest rule', sampleChannel({ fees: fees(feeRule(0n, 1_000_000, 0n)) })],
    [
      'D-063 its own channel without a buyer fee',
      sampleChannel({ merchant_id, fees: fees(feeRule(), feeRule(5n, 5)) }),
    ],
    ['PTK', samplePtkChannel()],
    [
      'D-260 a method for each currency',
      sampleChannel({
        supported_currencies: ['USD', 'EUR'],
        payment_method_types: ['us_bank_account', 'ideal'],
      }),
    ],
  ])('%s', (_, channel) => {
    expect(checkChannel(channel)).toBe(channel);
  });

  test.each<[string, string, Channel]>([
    ['name', 'blank', sampleChannel({ name: '  ' })],
    ['names.de', 'blank', sampleChannel({ names: { en: 'Card', de: ' ' } })],
    [
      'config.payment_method_types',
      'D-260 a phone wallet without cards',
      sampleChannel({ payment_method_types: ['apple_pay', 'klarna'] }),
    ],
    [
      'config.payment_method_types',
      'D-260 no method for a currency that it charges',
      sampleChannel({ supported_currencies: ['USD', 'EUR'], payment_method_types: ['ideal'] }),
    ],
    ['owner', 'PTK of a merchant', samplePtkChannel({ merchant_id })],
    ['test_mode', 'R-156 PTK as a test channel', samplePtkChannel({ test_mode })],
    ['currency', 'PTK in another currency', samplePtkChannel({ currency: 'USD' })],
    [
      'supported_currencies',
      'D-066 a card that charges PTK',
      sampleChannel({ supported_currencies: ['USD', 'PTK'] }),
    ],
    ['fees.USD.buyer.fixed_minor', 'a negative fee', sampleChannel({ fees: fees(feeRule(-1n)) })],
    [
      'fees.USD.merchant.percent_ppm',
      'more than all',
      sampleChannel({ fees: fees(feeRule(), feeRule(0n, 1_000_001)) }),
    ],
    [
      'fees.USD.merchant.percent_ppm',
      'less than nothing',
      sampleChannel({ fees: fees(feeRule(), feeRule(0n, -1)) }),
    ],
    ['fees.USD.buyer.percent_ppm', 'a part of a millionth', sampleChannel({ fees: fees(feeRule(0n, 0.5)) })],
    ['fees.USD.buyer.cap_minor', 'a negative cap', sampleChannel({ fees: fees(feeRule(0n, 1, -1n)) })],
    [
      'fees.USD.buyer',
      'D-063 a fixed buyer fee on its own channel',
      sampleChannel({ merchant_id, fees: fees(feeRule(1n)) }),
    ],
    [
      'fees.USD.buyer',
      'D-063 a buyer percentage on its own channel',
      sampleChannel({ merchant_id, fees: fees(feeRule(0n, 1)) }),
    ],
  ])('%s: %s is refused', (field, _, channel) => {
    expect(() => checkChannel(channel)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.objectContaining({ field }) as object,
      }),
    );
  });
});

test('D-260 every method that a channel can choose has a name', () => {
  expect([...namedMethodTypes].toSorted()).toEqual([...paymentMethodTypes].toSorted());
});

test('D-264 a name can be given in each language of the checkout', () => {
  expect(Object.keys(NewChannel.properties.names.properties)).toEqual(localeTags);
});

test('D-062 silence is not zero: the samples say their zero', () => {
  expect(sampleChannel().fees.get('USD')).toEqual(noFees);
});
