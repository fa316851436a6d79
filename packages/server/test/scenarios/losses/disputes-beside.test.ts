/** Several disputes about one payment, and disputes beside what a person decides (D-870 to D-877, D-900 to D-902). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardDispute } from '../../../src/channels/card/index.ts';
import { followDispute } from '../../../src/payments/following/follow-dispute.ts';
import { reconcileChannel } from '../../../src/payments/reconciliation/reconcile-channel.ts';
import {
  caseOf,
  detailOf,
  expectBalancedBooks,
  namesOf,
  pay,
  strangeSession,
  withProvider,
} from '../../support/desks/cases.ts';
import { type CardPaid, day_s, type LossDesk, openLossDesk, openShop } from '../../support/desks/losses.ts';

let desk: LossDesk;

beforeAll(async () => {
  desk = await openLossDesk();
});
afterAll(() => desk.stop());

/** By which the clock of the service was moved. */
let later_ms = 0;

type Told = readonly [name: string, status: CardDispute['status'], amount: bigint, currency?: string];

const disputesOf = ({ payment_id }: Pick<CardPaid, 'payment_id'>, all: readonly Told[]): CardDispute[] =>
  all.map(([name, status, amount, currency = 'USD']) => ({
    ...{ id: `du_${name}_${payment_id}`, status, amount, currency, payment_id },
  }));

/** The provider has these disputes of a payment, and the books hear of the first. */
const told = (paid: Pick<CardPaid, 'payment_id'>, ...all: Told[]) => {
  const disputes = disputesOf(paid, all);
  return withProvider(desk, desk.card.payment_no, { disputes, later_ms }, (deps, { payment_no }) =>
    followDispute(deps, payment_no, disputes[0]?.id ?? ''),
  );
};

/** What a comparison with the provider lists of these disputes, of which only events tell. */
const listed = (paid: CardPaid, ...all: Told[]) => {
  const disputes = disputesOf(paid, all);
  const found = (value: unknown[]) => () => Promise.resolve({ kind: 'found', value });
  const lists = {
    ...{ sessionsIn: found([]), refundsIn: found([]), disputesIn: found([]) },
    eventsIn: found(disputes.map(({ id }) => ({ id, type: 'charge.dispute.closed', object_id: id }))),
  };
  return withProvider(desk, desk.card.payment_no, { disputes }, async (deps, channel) => {
    const cards = { ...deps.cards, ...lists } as unknown as typeof deps.cards;
    const none = new Date(0);
    const { result } = await reconcileChannel({ ...deps, cards }, channel, {
      ...{ since: none, until: none, run_by: 'command' },
    });
    return result.differences.map(({ kind, provider_id }) => `${kind} ${provider_id?.split('_')[1] ?? ''}`);
  });
};

const paidTo = async (hold_days = 1) => {
  const shop = await openShop(desk, { hold_days });
  const paid = await shop.byCard();
  const complaints = async () =>
    (await shop.detail(paid.order)).complaints
      .map(({ status, dispute_id, loss_amount }) => [status, dispute_id?.split('_')[1] ?? null, loss_amount])
      .reverse();
  return { shop, paid, complaints };
};

const frozen = { frozen_ptk: '9740000000' };
const held = { held_ptk: '9740000000' };

describe('D-870 the funds of an order stay frozen while another dispute about its payment is open', () => {
  test('after the first was won', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['2', 'open', 460n], ['1', 'open', 600n]);
    await told(paid, ['1', 'won', 600n], ['2', 'open', 460n]);
    expect(await shop.wallet()).toEqual(frozen);
    expect(await complaints()).toEqual([['open', '2', null]]);
    await told(paid, ['2', 'won', 460n], ['1', 'won', 600n]);
    expect(await shop.wallet()).toEqual(held);
  });

  test('past the end of the hold, so that the merchant cannot withdraw them', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await desk.service.advance(2 * day_s);
    later_ms += 2 * day_s * 1_000;
    await told(paid, ['1', 'won', 600n], ['2', 'open', 1_060n]);
    expect(await shop.wallet()).toEqual(frozen);
    await told(paid, ['2', 'lost', 1_060n], ['1', 'won', 600n]);
    expect(await shop.wallet()).toEqual({ recovery_ptk: '860000000' });
    expect(await complaints()).toEqual([['confirmed', '2', '10.60']]);
  });

  test('after the first was lost for a part', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['1', 'lost', 600n], ['2', 'open', 460n]);
    expect(await shop.wallet()).toEqual({ frozen_ptk: '3740000000' });
    expect(await complaints()).toEqual([
      ['open', '2', null],
      ['confirmed', '1', '6.00'],
    ]);
    await told(paid, ['2', 'won', 460n], ['1', 'lost', 600n]);
    expect(await shop.wallet()).toEqual({ held_ptk: '3740000000' });
  });

  test('but not for one that a person has dismissed', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    const [first] = (await shop.detail(paid.order)).complaints;
    await shop.decide(first?.complaint_id ?? '', { decision: 'dismiss' });
    await told(paid, ['2', 'open', 460n]);
    await told(paid, ['2', 'won', 460n], ['1', 'open', 600n]);
    expect(await shop.wallet()).toEqual(held);
    expect(await complaints()).toEqual([
      ['dismissed', '1', null],
      ['dismissed', '2', null],
    ]);
  });
});

describe('D-900 a dispute that opens just while another one ends, after its list was read, keeps the funds', () => {
  test.each<[string, Told, object]>([
    ['won', ['1', 'won', 600n], frozen],
    ['lost for a part', ['1', 'lost', 600n], { frozen_ptk: '3740000000' }],
  ])('that is %s', async (_, ended, wallet) => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['2', 'open', 460n], ['1', 'open', 600n]);
    await told(paid, ended);
    expect(await shop.wallet()).toEqual(wallet);
    expect((await complaints())[0]).toEqual(['open', '2', null]);
    await told(paid, ['2', 'won', 460n]);
    expect(await shop.wallet()).toEqual({ held_ptk: Object.values(wallet)[0] as string });
  });
});

describe('a dispute that the provider opens again after it was won', () => {
  test('D-901 freezes the funds again, under a complaint of its own', async () => {
    const { shop, paid, complaints } = await paidTo();
    for (let time = 0; time < 2; time++) {
      await told(paid, ['1', 'open', 600n]);
      await told(paid, ['1', 'open', 600n]);
      expect(await shop.wallet()).toEqual(frozen);
      await told(paid, ['1', 'won', 600n]);
      expect(await shop.wallet()).toEqual(held);
    }
    await told(paid, ['1', 'open', 600n]);
    expect(await complaints()).toEqual([
      ['dismissed', null, null],
      ['dismissed', null, null],
      ['open', '1', null],
    ]);
    const [again] = (await shop.detail(paid.order)).complaints;
    await shop.decide(again?.complaint_id ?? '', { decision: 'dismiss' });
    await told(paid, ['1', 'open', 600n]);
    expect(await shop.wallet()).toEqual(held);
    await told(paid, ['1', 'lost', 600n]);
    expect(await shop.wallet()).toEqual({ held_ptk: '3740000000' });
  });

  test('D-901 keeps the funds when another one ends', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['1', 'won', 600n]);
    await told(paid, ['2', 'open', 460n]);
    await told(paid, ['1', 'open', 600n], ['2', 'open', 460n]);
    await told(paid, ['2', 'won', 460n], ['1', 'open', 600n]);
    expect(await shop.wallet()).toEqual(frozen);
    expect((await complaints()).at(-1)).toEqual(['open', '1', null]);
  });

  test('D-078 is booked if it is then lost', async () => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['1', 'won', 600n]);
    await told(paid, ['1', 'lost', 600n]);
    expect(await shop.wallet()).toEqual({ held_ptk: '3740000000' });
    expect(await complaints()).toEqual([['confirmed', '1', '6.00']]);
  });

  test('D-901 is listed by the comparison with the provider until it is followed', async () => {
    const { paid } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['1', 'won', 600n]);
    expect(await listed(paid, ['1', 'open', 600n])).toEqual(['dispute_missing_here 1']);
    await told(paid, ['1', 'open', 600n]);
    expect(await listed(paid, ['1', 'open', 600n])).toEqual([]);
  });
});

describe('D-902 a dispute that is lost in another currency keeps the funds for a person', () => {
  test('who has opened a complaint', async () => {
    const { shop, paid, complaints } = await paidTo();
    await shop.complain(paid.order);
    await told(paid, ['1', 'lost', 600n, 'EUR']);
    expect(await shop.cases(paid.order)).toEqual(['mismatch 600 EUR: disputed in another currency']);
    expect(await complaints()).toEqual([['open', '1', null]]);
  });

  test.each<[string, (decide: (decision: object) => Promise<unknown>, paid: CardPaid) => Promise<unknown>]>([
    ['after another dispute was won', (_, paid) => told(paid, ['1', 'won', 600n])],
    ['after a person has dismissed another one', (decide) => decide({ decision: 'dismiss' })],
  ])('%s', async (_, end) => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['2', 'lost', 460n, 'EUR']);
    const [first] = (await shop.detail(paid.order)).complaints;
    await end((decision) => shop.decide(first?.complaint_id ?? '', { ...decision }), paid);
    expect(await shop.wallet()).toEqual(frozen);
    expect((await complaints()).at(-1)).toEqual(['open', '2', null]);
    const [left] = (await shop.detail(paid.order)).complaints;
    await shop.decide(left?.complaint_id ?? '', { decision: 'dismiss' });
    expect(await shop.wallet()).toEqual(held);
  });
});

describe('D-877 a person who decides about one of two open disputes leaves the funds to the other', () => {
  test.each<[string, object, string]>([
    ['dismissed', { decision: 'dismiss' }, '9740000000'],
    ['confirmed', { decision: 'confirm', loss_amount: '6.00' }, '3740000000'],
  ])('%s, also past the end of the hold', async (status, decision, left) => {
    const { shop, paid, complaints } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ['2', 'open', 460n], ['1', 'open', 600n]);
    await desk.service.advance(2 * day_s);
    later_ms += 2 * day_s * 1_000;
    const [first] = (await shop.detail(paid.order)).complaints;
    expect((await shop.decide(first?.complaint_id ?? '', { ...decision })).status).toBe(200);
    expect(await shop.wallet()).toEqual({ frozen_ptk: left });
    expect((await complaints()).map(([now, name]) => [now, name])).toEqual([
      [status, '1'],
      ['open', '2'],
    ]);
    await told(paid, ['2', 'won', 460n], ['1', 'open', 600n]);
    expect(await shop.wallet()).toEqual({ available_ptk: left });
  });
});

test('D-877 an open dispute about a second payment of the order keeps nothing of it frozen', async () => {
  const { shop, paid, complaints } = await paidTo();
  const [attempt] = (await detailOf(desk, paid.order)).attempts;
  const names = await namesOf(desk, paid.order, attempt?.attempt_id ?? '');
  const second = await pay(desk, await strangeSession(desk, names));
  await caseOf(desk, paid.order);
  await told({ payment_id: second.payment_intent ?? '' }, ['2', 'open', 1_060n]);
  const { complaint_id } = (await shop.complain(paid.order)).body;
  expect((await shop.decide(complaint_id, { decision: 'dismiss' })).status).toBe(200);
  expect(await complaints()).toEqual([['dismissed', null, null]]);
  expect(await shop.wallet()).toEqual(held);
});

test.each<[string, Told, string | null, string]>([
  ['dismissed', ['1', 'won', 600n], null, '9740000000'],
  ['confirmed', ['1', 'lost', 600n], '6.00', '3740000000'],
])('D-871 a partial refund during a dispute waits for a person: %s', async (status, ended, loss, left) => {
  const { shop, paid, complaints } = await paidTo();
  await told(paid, ['1', 'open', 600n]);
  await desk.provider('/refunds', { payment_intent: paid.payment_id, amount: '400' });
  await caseOf(desk, paid.order, ({ kind }) => kind === 'partial_refund');
  await told(paid, ended);
  expect(await shop.wallet()).toEqual({ frozen_ptk: left });
  expect(await complaints()).toEqual([
    [status, '1', loss],
    ['open', null, null],
  ]);
});

describe('D-871 a complaint that a dispute did not open outlasts it', () => {
  test.each<[string, Told, object]>([
    ['won', ['1', 'won', 600n], frozen],
    ['lost for a part', ['1', 'lost', 600n], { frozen_ptk: '3740000000' }],
  ])('of a person, after a dispute was %s', async (_, ended, wallet) => {
    const { shop, paid } = await paidTo();
    const { complaint_id } = (await shop.complain(paid.order)).body;
    await told(paid, ['1', 'open', 600n]);
    await told(paid, ended);
    expect(await shop.wallet()).toEqual(wallet);
    const { complaints } = await shop.detail(paid.order);
    expect(complaints.find((one) => one.complaint_id === complaint_id)).toMatchObject({
      ...{ status: 'open', dispute_id: null },
    });
    expect((await shop.decide(complaint_id, { decision: 'dismiss' })).status).toBe(200);
    expect(await shop.wallet()).toEqual({ held_ptk: Object.values(wallet)[0] as string });
  });
});

describe('the comparison with the provider', () => {
  test('D-850 lists no open dispute that was seen beside another one', async () => {
    const { paid } = await paidTo();
    const both = [['1', 'open', 600n] as const, ['2', 'open', 460n] as const] as const;
    await told(paid, both[0]);
    expect(await listed(paid, ...both)).toEqual(['dispute_missing_here 2']);
    await told(paid, both[1], both[0]);
    expect(await listed(paid, ...both)).toEqual([]);
    expect(await listed(paid, both[0], ['2', 'lost', 460n])).toEqual(['dispute_missing_here 2']);
  });

  test.each<[string, 'dismiss' | 'refund']>([
    ['that a person dismissed', 'dismiss'],
    ['that a refund ended', 'refund'],
  ])('D-875 lists a lost dispute whose complaint is one %s', async (_, by) => {
    const { shop, paid } = await paidTo();
    await told(paid, ['1', 'open', 600n]);
    const [complaint] = (await shop.detail(paid.order)).complaints;
    if (by === 'dismiss') await shop.decide(complaint?.complaint_id ?? '', { decision: 'dismiss' });
    else await shop.refund(paid.order);
    expect(await listed(paid, ['1', 'open', 600n])).toEqual([]);
    expect(await listed(paid, ['1', 'lost', 600n])).toEqual(['dispute_missing_here 1']);
    await told(paid, ['1', 'lost', 600n]);
    expect(await listed(paid, ['1', 'lost', 600n])).toEqual([]);
  });
});

test('D-876 the queue shows the end of a dispute that a process sees whose clock is behind', async () => {
  const { paid } = await paidTo();
  const stageOf = async () =>
    (await desk.service.admin<{ stage: string }>('GET', `/disputes/du_1_${paid.payment_id}`)).stage;
  later_ms += 60_000;
  await told(paid, ['1', 'open', 1_060n]);
  later_ms -= 60_000;
  expect(await stageOf()).toBe('to_answer');
  await told(paid, ['1', 'won', 1_060n]);
  expect(await stageOf()).toBe('ended');
});

test('D-873 a loss that is booked by a process whose clock is behind comes after the loss before it', async () => {
  // A cent is worth 0.14285714… PTK: the second one is rounded up.
  await desk.service.admin('PUT', '/rates/USD', { ptk_price: '0.07' });
  const { paid, complaints } = await paidTo();
  later_ms += 60_000;
  await told(paid, ['1', 'lost', 1n]);
  later_ms -= 60_000;
  await told(paid, ['2', 'lost', 1n], ['1', 'lost', 1n]);
  expect(await complaints()).toEqual([
    ['confirmed', '2', '0.01'],
    ['confirmed', '1', '0.01'],
  ]);
  await expectBalancedBooks(desk);
  await desk.service.admin('PUT', '/rates/USD', { ptk_price: '0.1' });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
