import type { CollectionOrder } from '@paydesk/sdk';
import type { RequestContext } from '@vendure/core';
import { expect, test, vi } from 'vitest';
import { PaydeskBooks } from './books.ts';
import type { Settings } from './settings.ts';

/* Vendure is no part of this workspace. */

vi.mock('@nestjs/common', () => ({ Inject: () => () => undefined, Injectable: () => () => undefined }));
vi.mock('@vendure/core', () => ({
  ...Object.fromEntries(
    ['ConfigService', 'HistoryService', 'Order', 'OrderService', 'Payment', 'TransactionalConnection'].map(
      (name) => [name, name],
    ),
  ),
  Logger: { error: () => undefined },
  isGraphQlErrorResult: (result: object) => 'errorCode' in result,
}));

test('D-1294 a refund that Vendure refuses is noted at the order once, and asked for again', async () => {
  const payment = {
    id: 1,
    method: 'paydesk',
    transactionId: 'pe_1',
    amount: 1_050,
    state: 'Settled',
    metadata: { status_version: 2 },
    refunds: [],
  };
  const order = { id: 1, code: 'ABC', currencyCode: 'USD', state: 'PaymentAuthorized', totalWithTax: 1_050 };
  const notes: string[] = [];
  const query = {
    ...{ select: () => query, where: () => query, setLock: () => query },
    getRawOne: () => Promise.resolve(null),
  };
  const remembered = vi.fn();
  const repository = {
    createQueryBuilder: () => query,
    findOneOrFail: () => Promise.resolve({ ...order, payments: [payment] }),
    update: remembered,
  };
  const books = new PaydeskBooks(
    {
      getRepository: () => repository,
      withTransaction: (ctx: RequestContext, work: (ctx: RequestContext) => unknown) => work(ctx),
    } as never,
    {
      findOneByCode: () => Promise.resolve(order),
      refundOrder: () =>
        Promise.resolve({ errorCode: 'REFUND_ORDER_STATE_ERROR', message: 'not in this state' }),
      addNoteToOrder: (_ctx: RequestContext, { note }: { note: string }) => Promise.resolve(notes.push(note)),
    } as never,
    {
      getHistoryForOrder: () => Promise.resolve({ items: notes.map((note) => ({ data: { note } })) }),
    },
    { entityOptions: { moneyStrategy: {} } },
  );
  const state = {
    order_no: 'mp_1',
    external_reference: 'ABC',
    amount: '10.50',
    currency: 'USD',
    status: 'refunded',
    status_version: 3,
    event_id: 'pe_1',
    test_mode: false,
  } as CollectionOrder;
  const told = () => books.apply({} as RequestContext, 'paydesk', {} as Settings, state);
  await expect(told()).rejects.toThrow('not in this state');
  await expect(told()).rejects.toThrow('not in this state');
  expect(notes).toEqual([
    expect.stringMatching(/mp_1\) was refunded, but the shop refuses .*not in this state/),
  ]);
  expect(remembered).not.toHaveBeenCalled();
});
