import { createOrder as createCatalogOrder } from '../../src/catalog/orders/create-order.ts';
import { fulfilOrder } from '../../src/catalog/fulfilment/fulfil-order.ts';
import { uploadCodes } from '../../src/catalog/fulfilment/upload-codes.ts';
import { withdrawCodes } from '../../src/catalog/fulfilment/withdraw-codes.ts';
import { createOrder } from '../../src/collection/creating/create-order.ts';
import { selectOrder } from '../../src/collection/orders/order.sql.ts';
import { payableOrder } from '../../src/collection/orders/payable-order.ts';
import { readOrder } from '../../src/collection/reading/read-order.ts';
import { isCatalogOrderNo } from '../../src/catalog/orders/order.ts';
import { readOwnOrder } from '../../src/catalog/orders/read-order.ts';
import { readMethod } from '../../src/payments/starting/pay-from-snapshot.ts';
import { startPayment } from '../../src/payments/starting/start-payment.ts';
import { selectQuotes } from '../../src/payments/quotes/quote.sql.ts';
import { codesFrom, type Product } from './products.ts';
import {
  actor,
  anyOf,
  type Begun,
  type KnownOrder,
  type Move,
  reference,
  repeatable,
  type Story,
  type Work,
} from './story.ts';
import { currencies, type Deps } from './world.ts';

/** The required properties of a collection order; chance decides the rest. */
export interface Wanted {
  merchant_id: string;
  code: string;
  minor: bigint;
  /** Empty for every method there is. */
  payment_no: string;
  expires_in: number;
}

function anything({ world: { random, shops, channels } }: Story): Wanted {
  return {
    merchant_id: random.pick(shops).merchant_id,
    code: random.pick(currencies).code,
    minor: BigInt(random.pick([1, 99, 1_000, 1_000, 1_000, 123_456, 9_007_199_254_740_991])),
    payment_no: random.between(0, 4) === 0 ? random.pick(channels).payment_no : '',
    expires_in: random.pick([60, 600, 600, 7_200]),
  };
}

/** A collection order; asked for again, it is the same. */
export function collectionOrder(story: Story, wanted?: Partial<Wanted>): (deps: Deps) => Promise<KnownOrder> {
  const { merchant_id, code, minor, payment_no, expires_in } = { ...anything(story), ...wanted };
  const idempotency_key = reference(story);
  let first: string | null = null;
  return async ({ orders }) => {
    const { order_no } = await createOrder(orders, merchant_id, {
      external_reference: idempotency_key,
      idempotency_key,
      amount: { form: 'minor', value: minor },
      currency: code,
      payment_no,
      description: '',
      expires_in,
      return_url: '',
      notify: { mode: 'unspecified' },
    });
    if (first !== null && first !== order_no) throw new Error('one key stands for two orders');
    first = order_no;
    const methods = await selectQuotes(orders.db, merchant_id, order_no);
    const known: KnownOrder = { merchant_id, order_no, methods, user_id: null };
    if (!story.orders.some((order) => order.order_no === order_no)) story.orders.push(known);
    return known;
  };
}

/** A catalog order, by PTK or by card. */
export function catalogOrder(
  story: Story,
  wanted: { product?: Product; payment_no?: string; quantity?: number } = {},
): (deps: Deps) => Promise<KnownOrder> {
  const { random, products, buyers } = story.world;
  const { product = random.pick(products), quantity = random.pick([1, 1, 2]) } = wanted;
  const { payment_no = random.pick(['ch_ptk', 'ch_card']) } = wanted;
  const { merchant_id, gd_no } = product;
  const user_id = random.pick(buyers);
  return async ({ catalog }) => {
    const buyer = { merchant_id, user_id, client_id: 'cl_simulation' };
    const request = { gd_no, quantity, payment_no, other_ipu: {} };
    const { order_no, method_id } = await createCatalogOrder(catalog, buyer, request);
    const methods = [{ method_id, provider: payment_no === 'ch_ptk' ? 'ptk' : 'cardprov' }];
    const known: KnownOrder = { merchant_id, order_no, methods, user_id };
    story.orders.push(known);
    return known;
  };
}

function beginStart(provider: string) {
  return (story: Story): Begun | null => {
    const order = anyOf(story, story.orders.slice(-3));
    const method = anyOf(
      story,
      (order?.methods ?? []).filter((candidate) => candidate.provider === provider),
    );
    if (order === null || method === null) return null;
    return actor(startOf(story, order, method));
  };
}

/** A buyer takes a method of an order, as the checkout does. */
export function startOf(
  story: Story,
  { merchant_id, order_no, user_id: owner }: KnownOrder,
  { method_id }: KnownOrder['methods'][number],
): Work {
  const user_id = owner ?? story.world.random.pick(story.world.buyers);
  return async ({ payments }) => {
    const of = { merchant_id, order_no, method_id };
    const seen = await readSnapshot(payments, of);
    return startPayment(payments, { ...of, user_id }, seen);
  };
}

/** The reads of the checkout before it starts a payment. A catalog order is not read. */
async function readSnapshot(payments: Deps['payments'], of: Parameters<typeof readMethod>[1]) {
  const [order, method] = await Promise.all([
    selectOrder(payments.db.lookups, of.merchant_id, of.order_no),
    readMethod(payments, of),
  ]);
  return order === null ? undefined : { order: payableOrder(order), method };
}

function beginReading(story: Story): Begun | null {
  const order = anyOf(story, story.orders);
  if (order === null) return null;
  const { merchant_id, order_no, user_id } = order;
  return actor(({ orders, catalog }) =>
    user_id !== null && isCatalogOrderNo(order_no)
      ? readOwnOrder(catalog, { merchant_id, user_id }, order_no)
      : readOrder(orders, merchant_id, order_no),
  );
}

function beginFulfilment(story: Story): Begun | null {
  const order = anyOf(story, story.orders.filter(({ order_no }) => isCatalogOrderNo(order_no)).slice(-3));
  return order === null ? null : actor(delivered(order));
}

export const delivered =
  (order: KnownOrder): Work =>
  ({ catalog }) =>
    catalog.db.transaction((tx) => fulfilOrder(catalog, tx, order, 'by post'));

function beginUpload(story: Story): Begun | null {
  const product = story.world.products.find(({ delivery }) => delivery === 'code');
  if (product === undefined) return null;
  // At times the same once more.
  const round = story.world.random.between(0, 2) === 0 ? story.uploads : ++story.uploads;
  return actor(codesTakenIn(product, round));
}

export const codesTakenIn =
  (product: Product, round: number): Work =>
  ({ catalog }) =>
    catalog.db.transaction((tx) => uploadCodes(catalog, tx, product, codesFrom(round)));

function beginWithdrawal({ world: { random, products }, uploads }: Story): Begun | null {
  const product = products.find(({ delivery }) => delivery === 'code');
  if (product === undefined) return null;
  return actor(
    codesWithdrawn(
      product,
      random.pick<readonly string[] | 'all'>(['all', codesFrom(random.between(0, uploads))]),
    ),
  );
}

/** Codes that orders have stay with them, so orders that are open may find too few. */
export const codesWithdrawn =
  (product: Product, codes: readonly string[] | 'all'): Work =>
  ({ catalog }) =>
    catalog.db.transaction((tx) => withdrawCodes(catalog, tx, product, codes));

const unpayable = ['payment_conflict', 'payment_expired'];

/** The errors that a start by card may return. */
export const startRefusals = [
  ...unpayable,
  'merchant_fee_funding_unavailable',
  'provider_checkout_rejected',
  'provider_result_mismatch',
];

export const orderMoves: readonly Move[] = [
  {
    name: 'create',
    weight: 4,
    refusals: ['channel_unavailable', 'merchant_fee_funding_unavailable'],
    begin: (story) => repeatable(story, collectionOrder(story)),
  },
  {
    name: 'buy from the catalog',
    weight: 3,
    refusals: ['out_of_stock'],
    begin: (story) => actor(catalogOrder(story)),
  },
  { name: 'read', weight: 1, begin: beginReading },
  {
    name: 'pay with PTK',
    weight: 4,
    refusals: [...unpayable, 'insufficient_balance'],
    begin: beginStart('ptk'),
  },
  {
    name: 'start by card',
    weight: 8,
    refusals: startRefusals,
    begin: beginStart('cardprov'),
  },
  { name: 'deliver', weight: 1, refusals: ['payment_conflict'], begin: beginFulfilment },
  { name: 'take in codes', weight: 1, begin: beginUpload },
  { name: 'withdraw codes', weight: 1, begin: beginWithdrawal },
];
