/** Writes of staff that wait while the role of their sender ends (D-1083). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { type Database, sql, type Tx } from '../../../src/base/pg/index.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import type { Answer, Json } from '../../support/desks/service.ts';
import { addStaff, type Staff } from '../../support/people/staff.ts';
import { overtaken } from '../../support/servers/lock-waits.ts';

let desk: LossDesk;
let db: Database;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  ({ db } = desk.service);
  shop = await openShop(desk);
});
afterAll(() => desk.stop());

/** A call by staff that waits for the locks of `holding`, while their account is disabled. */
async function tooLate(
  holding: (tx: Tx) => Promise<unknown>,
  call: (staff: Staff) => Promise<Answer>,
): Promise<Answer> {
  const staff = await addStaff(desk.service, 'Fin Finance', 'finance');
  const end = async (tx: Tx): Promise<void> => {
    await holding(tx);
    await tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${staff.user_id}::uuid`);
  };
  return overtaken(db, db, end, () => call(staff));
}
const refused = { status: 403, body: { error: 'role_required' } };

test('D-1083 opens no complaint', async () => {
  const order = await shop.byPtk();
  const answer = await tooLate(
    (tx) =>
      tx.query(sql`SELECT 1 AS held FROM collection_orders
      WHERE merchant_id = ${merchantIdOf(shop.merchant_no)} AND order_no = ${order.order_no} FOR UPDATE`),
    (staff) => staff.call('POST', `/collection-orders/${order.order_no}/complaints`, { reason: 'mine' }),
  );
  expect(answer).toMatchObject(refused);
  expect((await shop.detail(order)).complaints).toEqual([]);
});

test.each([
  ['evidence', { texts: { customer_name: 'Bo' } }],
  ['files', { field: 'receipt', content: Buffer.from('%PDF-1.7 a receipt').toString('base64') }],
])('D-1083 sends no %s about a dispute', async (path, body) => {
  const paid = await shop.byCard();
  const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${paid.session_id}/dispute`, {});
  const listed = async (): Promise<boolean> => {
    const { items } = await desk.service.admin<{ items: Json[] }>('GET', '/disputes?limit=100');
    return items.some(({ dispute_id }) => dispute_id === id);
  };
  await expect.poll(listed, { timeout: 60_000 }).toBe(true);
  const answer = await tooLate(
    async (tx) => {
      await tx.query(
        sql`SELECT 1 AS held FROM card_disputes
          WHERE merchant_id = ${merchantIdOf(shop.merchant_no)} AND dispute_id = ${id} FOR UPDATE`,
      );
      await tx.query(sql`LOCK TABLE dispute_files IN EXCLUSIVE MODE`);
    },
    (staff) => staff.call('POST', `/disputes/${id}/${path}`, body),
  );
  expect(answer).toMatchObject(refused);
  const { evidence, files } = await desk.service.admin('GET', `/disputes/${id}`);
  expect([evidence, files]).toEqual([[], []]);
});

test('D-1083 records no payout', async () => {
  const { payment_no } = desk.card;
  const answer = await tooLate(
    (tx) => tx.query(sql`LOCK TABLE posted_references IN EXCLUSIVE MODE`),
    (staff) =>
      staff.call('POST', `/channels/${payment_no}/payouts`, {
        amount: '1.00',
        fees: '0.00',
        reference: 'late',
      }),
  );
  expect(answer).toMatchObject(refused);
  expect(await db.query(sql`SELECT 1 FROM posted_references WHERE reference = 'late'`)).toEqual([]);
});

test('D-1083 rejects nothing that waits for a second person', async () => {
  await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '1' });
  const { approval_id } = await desk.service.admin('POST', `/merchants/${shop.merchant_no}/ptk-top-ups`, {
    ...{ amount_ptk: '5', reference: 'waits', reason: 'for the test' },
  });
  await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
  const answer = await tooLate(
    (tx) => tx.query(sql`SELECT 1 AS held FROM approvals WHERE approval_id = ${approval_id} FOR UPDATE`),
    (staff) => staff.call('POST', `/approvals/${String(approval_id)}/reject`, { reason: 'mine' }),
  );
  expect(answer).toMatchObject(refused);
  expect(await desk.service.admin('GET', `/approvals/${String(approval_id)}`)).toMatchObject({
    status: 'pending',
  });
});
