import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  payWithPtk,
  setUpPlatform,
  signIn,
} from '../support/platform.ts';
import { eventually, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let buyer: string;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  buyer = await signIn(service, (await setUpPlatform(service)).buyer);
});

afterAll(() => service.stop());

const day_s = 24 * 3_600;

async function shopWithHold(hold_days: number): Promise<{ merchant: Merchant; merchant_no: string }> {
  const { merchant_no } = await addMerchant(service, await addUser(service, 'Hanna Hold'), { hold_days });
  return { merchant: await busyMerchant(service, merchant_no, 1), merchant_no };
}

async function payOne(merchant: Merchant): Promise<string> {
  const order = await merchant.order();
  await payWithPtk(service, order, buyer);
  return order.order_no;
}

const wallet = (merchant_no: string): Promise<Record<string, string>> =>
  service.admin('GET', `/merchants/${merchant_no}/wallet`);

const run = (): Promise<unknown> => service.admin('POST', '/jobs/release-holds/run');

test('R-129, R-147, D-073 proceeds wait for the hold, then become available exactly once', async () => {
  const { merchant, merchant_no } = await shopWithHold(2);
  const order_no = await payOne(merchant);
  await service.advance(2 * day_s - 60);
  await run();
  expect(await wallet(merchant_no)).toMatchObject({ held_ptk: '10000000000', available_ptk: '0' });
  await service.advance(61);
  await Promise.all([run(), run(), run()]);
  await eventually(
    () => wallet(merchant_no),
    ({ available_ptk }) => available_ptk === '10000000000',
  );
  await Promise.all([run(), run()]);
  expect(await wallet(merchant_no)).toMatchObject({ held_ptk: '0', available_ptk: '10000000000' });
  const { postings } = await service.admin<{ postings: { posting: string }[] }>(
    'GET',
    `/collection-orders/${order_no}`,
  );
  expect(postings.filter(({ posting }) => posting === 'P3')).toHaveLength(1);
});

test('R-125 a hold changed later leaves earlier orders as they are', async () => {
  const { merchant, merchant_no } = await shopWithHold(1);
  const order = await merchant.order();
  await service.admin('PATCH', `/merchants/${merchant_no}`, { hold_days: 30 });
  await payWithPtk(service, order, buyer);
  await service.advance(day_s);
  await run();
  await eventually(
    () => wallet(merchant_no),
    ({ available_ptk }) => available_ptk === '10000000000',
  );
});
