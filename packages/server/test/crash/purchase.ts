import { randomUUID } from 'node:crypto';
import { isKnownPaid, nothingPaid } from './payment-record.ts';
import { isPaidStatus, type PurchaseKind, purchaseKinds, type PurchaseRecord } from './purchase-record.ts';
import { payByCard, payFromWallet } from './pay.ts';
import type { Random } from '../support/run/random.ts';
import { restock } from './shelf.ts';
import { buyerCall, ownerCall, type Shop, untilAnswered } from './shop.ts';

/** Buys something from the catalog, as a program that a buyer has authorized. */
export async function purchase(shop: Shop, random: Random): Promise<void> {
  const record = newPurchase(shop, random);
  shop.purchases.push(record);
  await create(shop, record);
  if (record.order_no === '') return;
  const { kind, product } = record;
  if (kind === 'ptk') {
    const start = () => startPayment(shop, record);
    await payFromWallet(shop, record, random, { start, refusal: 422, isPaid: () => showsPaid(shop, record) });
    if (product.delivery === 'by hand' && random.next() < 0.5) await deliver(shop, record);
  }
  if (kind === 'card' || kind === 'abandoned') {
    const start = () => startPayment(shop, record);
    await payByCard(shop, record, random, { start, gives_up: kind === 'abandoned' });
  }
  await read(shop, random.pick([record, ...shop.purchases]));
}

function newPurchase({ platform, shelf }: Shop, random: Random): PurchaseRecord {
  const kind = random.pick<PurchaseKind>(['ptk', 'ptk', 'card', ...purchaseKinds]);
  const product = shelf[random.between(0, shelf.length - 1)];
  if (product === undefined) throw new Error('a shop without products');
  return {
    ...nothingPaid(),
    kind,
    product,
    request: {
      gd_no: product.gd_no,
      quantity: random.between(1, 2),
      payment_no: platform.payment_nos[kind === 'ptk' ? 'ptk' : 'card'],
      other_ipu: { reference: randomUUID() },
    },
    buyer_user_id: random.pick(platform.buyers).user_id,
    lost_creations: 0,
    refused_of: null,
    seen: 0,
    trade_no: '',
    delivered: false,
  };
}

/** Orders until there is an answer. Sold-out goods are skipped; the merchant uploads more codes. */
async function create(shop: Shop, record: PurchaseRecord): Promise<void> {
  const { product, request } = record;
  const known = product.stocked;
  const { status, body, text } = await untilAnswered(
    shop,
    () => buyerCall<{ order_no: string; error?: string }>(shop, record, 'POST', '', request),
    () => {
      record.lost_creations++;
      shop.counts.lost_creations++;
    },
  );
  if (status === 201) {
    record.order_no = body.order_no;
  } else if (status === 422 && body.error === 'out_of_stock') {
    record.refused_of = known;
    if (product.delivery === 'code') await restock(shop, product);
  } else {
    shop.problems.push(`ordering ${request.gd_no}: ${status} ${text}`);
  }
}

interface Session {
  trade_no: string;
  redirect: string;
}

/** Starts or resumes the payment: its number is the same in every answer. */
async function startPayment(shop: Shop, record: PurchaseRecord) {
  const { order_no, request } = record;
  const { payment_no } = request;
  const answer = await buyerCall<Session>(shop, record, 'POST', `/${order_no}/payment`, { payment_no });
  if (answer?.status === 200) {
    const { trade_no } = answer.body;
    if (trade_no === '' || (record.trade_no !== '' && record.trade_no !== trade_no)) {
      shop.problems.push(`the payment of ${order_no} has the numbers "${record.trade_no}" and "${trade_no}"`);
    }
    record.trade_no = trade_no;
  }
  return answer === null ? null : { ...answer, body: { redirect_url: answer.body.redirect } };
}

/** The payment's own status: 1 once it is paid. */
async function showsPaid(shop: Shop, record: PurchaseRecord): Promise<boolean> {
  const { body } = await untilAnswered(
    shop,
    () => buyerCall<{ status: number }>(shop, record, 'GET', `/${record.order_no}/payment`),
    () => shop.counts.lost_reads++,
  );
  return body.status === 1;
}

/** The merchant completes a paid order; a call that was not answered may have done it. */
async function deliver(shop: Shop, record: PurchaseRecord): Promise<void> {
  let lost = 0;
  const path = `/catalog-orders/${record.order_no}/fulfilment`;
  const { status, text } = await untilAnswered(
    shop,
    () => ownerCall(shop, 'POST', path, { note: 'At the door.' }),
    () => lost++,
  );
  if (status === 200 || (status === 409 && lost > 0)) record.delivered = true;
  else shop.problems.push(`delivering ${record.order_no}: ${status} ${text}`);
}

/** Reads an order as its buyer. A state that was shown or acknowledged must not be lost. */
async function read(shop: Shop, record: PurchaseRecord): Promise<void> {
  const { order_no } = record;
  if (order_no === '') return;
  const before = Math.max(record.seen, isKnownPaid(record) ? 1 : 0, record.delivered ? 3 : 0);
  const { status, body, text } = await untilAnswered(
    shop,
    () => buyerCall<{ order_no: string; status: number }>(shop, record, 'GET', `/${order_no}`),
    () => shop.counts.lost_reads++,
  );
  if (status !== 200 || body.order_no !== order_no) {
    shop.problems.push(`reading ${order_no}: ${status} ${text}`);
  } else if (body.status < before || (body.status !== 0 && !isPaidStatus(body.status))) {
    shop.problems.push(`${order_no} went back from ${before} to ${body.status}`);
  } else {
    record.seen = Math.max(record.seen, body.status);
  }
}
