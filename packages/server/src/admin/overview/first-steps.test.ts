import { expect, test } from 'vitest';
import { sampleChannel, samplePtkChannel } from '../../../test/support/desks/samples.ts';
import { firstSteps } from './first-steps.ts';

const box = Buffer.from('sealed');
const card = sampleChannel({ payment_no: 'ch_card', secret_key_box: box, webhook_secret_box: box });
const bare = sampleChannel({ payment_no: 'ch_bare', secret_key_box: box, webhook_secret_box: null });
const usd = { code: 'USD', decimals: 2, enabled: true, min_minor: 1n, max_minor: 1_000n };

type State = Parameters<typeof firstSteps>[0];
const nothing: State = {
  ...{ currencies: [], without_rate: [], channels: [], heard: [] },
  ...{ merchants: 0, clients: 0, ordered: false, paid: false },
};
const ready: State = {
  ...nothing,
  currencies: [usd],
  channels: [card],
  heard: ['ch_card'],
  merchants: 1,
  clients: 1,
};

const open = (state: State) =>
  firstSteps(state)
    .filter(({ done }) => !done)
    .map(({ step, refusal, about }) => [step, refusal, about.join(', ')].filter(Boolean).join(' '));

test.each<[string, Partial<State>, string[]]>([
  ['that is ready', {}, ['order', 'payment']],
  [
    'without an enabled currency',
    { currencies: [{ ...usd, enabled: false }] },
    ['currency currency_unavailable', 'rate currency_rate_unavailable'],
  ],
  ['without a rate', { without_rate: ['USD'] }, ['rate currency_rate_unavailable USD']],
  ['without a channel', { channels: [] }, ['channel channel_unavailable', 'webhook']],
  [
    'whose channel is switched off',
    { channels: [{ ...card, enabled: false }] },
    ['channel channel_unavailable', 'webhook'],
  ],
  [
    'with a channel that lacks its webhook secret',
    { channels: [card, bare] },
    ['channel ch_bare', 'webhook ch_bare'],
  ],
  ['whose card provider was not heard', { heard: [] }, ['webhook ch_card']],
  ['with PTK alone', { channels: [samplePtkChannel({})], heard: [] }, []],
  [
    'with a test channel alone',
    { channels: [{ ...card, test_mode: true, debug_merchants: ['m'] }], heard: [] },
    [],
  ],
  ...[
    { test_mode: true, debug_merchants: [], debug_users: [] },
    { supported_currencies: [] },
    { fees: new Map() },
  ].map((lack): [string, Partial<State>, string[]] => [
    `with a channel that nobody can pay by: D-1454 ${Object.keys(lack).join()}`,
    { channels: [{ ...card, ...lack }] },
    ['channel channel_unavailable ch_card', 'webhook'],
  ]),
  ['without a merchant and a client', { merchants: 0, clients: 0 }, ['merchant', 'client']],
])('the open steps of a platform %s', (_, changes, expected) => {
  expect(open({ ...ready, ...changes })).toEqual([
    ...expected.filter((step) => !['order', 'payment'].includes(step)),
    ...['order', 'payment'],
  ]);
});

test('a payment ends all steps but those that refuse orders now', () => {
  const paid = { ...ready, heard: [], ordered: true, paid: true };
  expect(open(paid)).toEqual([]);
  expect(open({ ...paid, without_rate: ['USD'] })).toEqual(['rate currency_rate_unavailable USD']);
});
