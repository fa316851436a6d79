import { OwedAnswer } from '@paydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { formatMinor } from '../../../src/base/money.ts';
import {
  type Merchant,
  merchantOf,
  onePtk,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from '../../support/desks/platform.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { startTestService, type TestService } from '../../support/desks/service.ts';
import { randomOf } from '../../support/run/random.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let cookie: string;

beforeAll(async () => {
  service = await startTestService({ role: 'web' });
  platform = await setUpPlatform(service);
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 2 });
  merchant = await merchantOf(service, platform.client);
  cookie = await signIn(service, platform.buyer);
});
// The books must verify, and the kept sums with them.
afterAll(() => service.stop());

const authorization = 'Bearer test-administration-key';

/** What is owed by the answer is what the wallets of the merchant and of all people come to. */
async function expectExact(): Promise<void> {
  // The answer is kept for a minute.
  await service.advance(61);
  const answer = await service.send('GET', '/admin/v1/ledger/owed', { headers: { authorization } });
  expectAnswer(answer, 200, OwedAnswer);
  const wallet = await service.admin('GET', `/merchants/${platform.merchant_no}/wallet`);
  const sumOf = (...names: string[]): string =>
    formatMinor(
      names.reduce((sum, name) => sum + BigInt(wallet[`${name}_ptk`] as string), 0n),
      8,
    );
  const [people] = await service.db.query<{ ptk: bigint }>(
    sql`SELECT sum(available_ptk) AS ptk FROM user_wallets`,
  );
  expect(answer.body).toMatchObject({
    to_merchants: sumOf('available', 'held', 'frozen', 'guarantee', 'fee_reserved', 'withdrawal_pending'),
    by_merchants: sumOf('credit_drawn', 'recovery'),
    to_people: formatMinor(people?.ptk ?? 0n, 8),
  });
}

test.each([1, 2])(
  'D-504, D-1080 what is owed equals the wallets, whenever sums are kept: story %i',
  async (seed) => {
    const random = randomOf(seed);
    const reason = 'as agreed';
    const paid: Order[] = [];
    const ofMerchant = (path: string, amount: number, more: object = {}): Promise<unknown> =>
      service.admin('POST', `/merchants/${platform.merchant_no}/${path}`, {
        ...{
          amount_ptk: String(BigInt(amount) * onePtk),
          reference: `story-${seed}-${random.next()}`,
          ...more,
        },
      });
    const steps = [
      async () => {
        const order = await merchant.order({ amount: `${random.between(1, 9)}.25` });
        await payWithPtk(service, order, cookie);
        paid.push(order);
      },
      async () => {
        const order = paid.shift();
        if (order === undefined) return;
        await service.admin('POST', `/collection-orders/${order.order_no}/refunds`, { reason });
      },
      async () => {
        const order = paid.shift();
        if (order === undefined) return;
        const { complaint_id } = await service.admin<{ complaint_id: string }>(
          'POST',
          `/collection-orders/${order.order_no}/complaints`,
          { reason },
        );
        if (random.between(0, 1) === 0) return;
        const decision = random.pick(['confirm', 'dismiss']);
        await service.admin('POST', `/complaints/${complaint_id}/decision`, { decision, reason });
      },
      () => ofMerchant('ptk-top-ups', random.between(20, 50), { reason }),
      () => ofMerchant('guarantee-deposits', random.between(1, 9), { source: 'available' }),
      () => topUp(service, platform.buyer, BigInt(random.between(1, 999_999))),
      async () => {
        await service.advance(86_400);
        await service.admin('POST', '/jobs/release-holds/run');
      },
      () => service.admin('POST', '/jobs/keep-sums/run'),
    ];
    await ofMerchant('ptk-top-ups', 500, { reason });
    for (let i = 0; i < 40; i++) {
      await steps[random.between(0, steps.length - 1)]?.();
      if (i % 4 === 0) await expectExact();
    }
  },
);
