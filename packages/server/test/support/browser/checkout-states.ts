import { expect } from 'vitest';
import type { CheckoutDesk } from '../desks/checkout-desk.ts';
import { shop, type Visit } from './checkout-visit.ts';
import { checkoutOf, type Order, type Person } from '../desks/platform.ts';
import { eventually, type Json } from '../desks/service.ts';

/** The names of the channels, which no language translates. */
export const byCard = 'Credit or debit card';
export const byPtk = 'PTK wallet';

/** A state of the page, and the way in as a buyer takes it. */
export interface CheckoutCase {
  name: string;
  /** The state that the page reports; null if it is not a page of an order. */
  screen: string | null;
  /** Whether the button that pays is there: never where a payment may be under way. */
  pays: boolean;
  /** Whether the state needs scripts, or looks the same without them. */
  scripts_only?: boolean;
  /** The page comes back the same where it is loaded again. */
  lasting?: boolean;
  status?: number;
  person?: (desk: CheckoutDesk) => Person;
  arrive(desk: CheckoutDesk, visit: Visit): Promise<void>;
}

const description = 'The Art of the Ledger, paperback, and a linen bookmark';

/** An order with a deadline later than the clock moves. */
export const orderOf = ({ merchant }: CheckoutDesk, body: Json = {}): Promise<Order> =>
  merchant.order({ description, external_reference: 'INV-2026-00417', expires_in: 7_200, ...body });

const shortLived = { expires_in: 60 };

/** An order whose session is open at the provider. */
async function started(desk: CheckoutDesk, body?: Json): Promise<Order> {
  const order = await orderOf(desk, body);
  await desk.startElsewhere(order, 'cardprov');
  return order;
}

async function paidByCard(desk: CheckoutDesk, body?: Json): Promise<Order> {
  const order = await started(desk, body);
  const { id } = await desk.sessionOf(order);
  await desk.sim('POST', `/sessions/${id}/pay`, {});
  return desk.until(order, 'paid');
}

/** The open page shows the new state of its order by itself (D-259); without scripts it is opened again. */
const followed = async (visit: Visit, order: Order): Promise<unknown> =>
  visit.scripts ? undefined : visit.open(order);

/** Waits until the attempt of an order is in a state, as the page would read it. */
const attemptBecomes = (desk: CheckoutDesk, order: Order, state: string): Promise<unknown> =>
  eventually(
    () => checkoutOf(desk.service, order).state(),
    ({ body }) => body.attempt?.state === state,
  );

/** An order whose creation at the provider has no known outcome. */
async function unclear(desk: CheckoutDesk, body: Json): Promise<Order> {
  const order = await orderOf(desk, body);
  await desk.fault('sessions.create', 'status', { status: 500, times: 50 });
  const checkout = checkoutOf(desk.service, order);
  expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(202);
  return order;
}

/**
 * Keeps the page from receiving events until it starts a payment, so it acts on its first state. Without its stream it
 * polls, so polls are blocked too.
 */
async function unaware({ page }: Visit): Promise<void> {
  let asks = false;
  page.on('request', (request) => {
    asks ||= request.url().endsWith('/payments');
  });
  await page.route(/\/checkout\/api\/[^/]+\/events/, (route) => route.abort());
  await page.route(/\/checkout\/api\/[^/]+$/, (route) => (asks ? route.continue() : route.abort()));
}

/**
 * The states of the page, by the way to reach them. Amounts, methods and people differ, so that one round covers much.
 */
export const checkoutCases: readonly CheckoutCase[] = [
  {
    name: 'choose',
    screen: 'choose',
    pays: true,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
    },
  },
  {
    name: 'preview',
    screen: 'choose',
    pays: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
    },
  },
  {
    name: 'preview-ptk',
    screen: 'choose',
    pays: true,
    person: ({ platform }) => platform.buyer,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byPtk);
    },
  },
  {
    name: 'three-decimals',
    screen: 'choose',
    pays: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk, { currency: 'KWD', amount: '1234567.891' }));
      await visit.choose(byCard);
    },
  },
  {
    name: 'no-decimals',
    screen: 'choose',
    pays: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk, { currency: 'JPY', amount: '98400' }));
      await visit.choose(byCard);
    },
  },
  {
    name: 'sign-in-required',
    screen: 'choose',
    pays: false,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byPtk);
    },
  },
  {
    name: 'sign-in',
    screen: null,
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byPtk);
      await visit.page.locator('.obstacle a').click();
      await visit.page.locator('input[name=password]').waitFor();
    },
  },
  {
    name: 'self-payment',
    screen: 'choose',
    pays: false,
    person: ({ platform }) => platform.owner,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byPtk);
    },
  },
  {
    name: 'balance-too-low',
    screen: 'choose',
    pays: false,
    person: ({ poor }) => poor,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byPtk);
    },
  },
  {
    name: 'no-method',
    screen: 'no_method',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const switched = (enabled: boolean): Promise<Json> =>
        desk.service.admin('PATCH', `/channels/${desk.spare_channel}`, { enabled });
      await switched(true);
      const order = await orderOf(desk, { payment_no: desk.spare_channel });
      await switched(false);
      await visit.open(order);
    },
  },
  {
    name: 'test-mode',
    screen: 'choose',
    pays: true,
    async arrive(desk, visit) {
      await visit.open(await desk.trial.order({ description, expires_in: 7_200 }));
      await visit.choose('Card (trial)');
    },
  },
  {
    name: 'confirming',
    screen: 'choose',
    pays: true,
    scripts_only: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.hold(/\/payments$/);
      await visit.pay();
      await visit.page.locator('.pay .spinner').waitFor();
    },
  },
  {
    name: 'going-to-the-provider',
    screen: 'choose',
    pays: true,
    scripts_only: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      // An answer without content leaves the browser where it is.
      await visit.context.route(`${desk.cardsim.url}/**`, (route) => route.fulfill({ status: 204 }));
      await visit.pay();
      await visit.page.locator('[data-phase=redirecting]').waitFor();
    },
  },
  {
    name: 'back-from-the-provider',
    screen: 'resume',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await orderOf(desk);
      await visit.open(order);
      await visit.choose(byCard);
      await visit.pay();
      await visit.page.waitForURL(`${desk.cardsim.url}/**`);
      await visit.page.goto(`${desk.service.url}/checkout/return/${order.order_no}`);
      await visit.screen('resume');
    },
  },
  {
    name: 'canceled-at-the-provider',
    screen: 'resume',
    pays: true,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.pay();
      await visit.page.waitForURL(`${desk.cardsim.url}/**`);
      await visit.page.getByRole('link', { name: 'Cancel and go back' }).click();
      await visit.page.locator('form.others').waitFor();
    },
  },
  {
    name: 'started-before',
    screen: 'resume',
    pays: true,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await started(desk));
    },
  },
  {
    name: 'unresolved',
    screen: 'unresolved',
    pays: false,
    async arrive(desk, visit) {
      await desk.fault('sessions.create', 'status', { status: 500, times: 50 });
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.pay();
      await visit.screen('unresolved');
    },
  },
  {
    name: 'processing',
    screen: 'processing',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await started(desk);
      const { id } = await desk.sessionOf(order);
      await desk.sim('POST', `/sessions/${id}/pay`, { async: true });
      await attemptBecomes(desk, order, 'processing');
      await visit.open(order);
    },
  },
  {
    name: 'not-completed',
    screen: 'attempt_ended',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await started(desk);
      const { id } = await desk.sessionOf(order);
      await desk.sim('POST', `/sessions/${id}/pay`, { async: true });
      await desk.sim('POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
      await attemptBecomes(desk, order, 'failed');
      await visit.open(order);
    },
  },
  {
    name: 'mismatch',
    screen: 'checking',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      // Background work that asks again for sessions of earlier states may take some.
      await desk.fault('sessions.create', 'amount', { amount_total: 1, times: 5 });
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.pay();
      await visit.screen('checking');
    },
  },
  {
    name: 'rejected',
    screen: 'choose',
    pays: true,
    async arrive(desk, visit) {
      await desk.fault('sessions.create', 'status', { status: 400, times: 5 });
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.pay();
      await visit.notice('provider_checkout_rejected');
      if (!visit.scripts) await visit.choose(byCard);
    },
  },
  {
    name: 'conflict',
    screen: 'resume',
    pays: true,
    person: ({ platform }) => platform.buyer,
    async arrive(desk, visit) {
      await unaware(visit);
      const order = await orderOf(desk);
      await visit.open(order);
      await visit.choose(byPtk);
      await desk.startElsewhere(order, 'cardprov');
      await visit.pay();
      await visit.notice('payment_conflict');
    },
  },
  {
    name: 'paid-in-another-tab',
    screen: 'paid',
    pays: false,
    async arrive(desk, visit) {
      await unaware(visit);
      const order = await orderOf(desk);
      await visit.open(order);
      await visit.choose(byCard);
      await desk.startElsewhere(order, 'ptk', desk.platform.buyer);
      await visit.pay();
      await visit.screen('paid');
    },
  },
  {
    name: 'review',
    screen: 'review',
    pays: false,
    async arrive(desk, visit) {
      const order = await unclear(desk, shortLived);
      await desk.service.advance(60);
      await visit.open(order);
    },
  },
  {
    name: 'paid',
    screen: 'paid',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await paidByCard(desk));
    },
  },
  {
    name: 'paid-and-back-to-the-shop',
    screen: 'paid',
    pays: false,
    person: ({ platform }) => platform.buyer,
    async arrive(desk, visit) {
      const order = await orderOf(desk, { return_url: `${shop}/thanks` });
      await visit.open(order);
      await visit.choose(byPtk);
      // However long the page is looked at: a way that is only held up would stop it from being painted.
      await visit.context.route(`${shop}/**`, (route) => route.fulfill({ status: 204 }));
      await visit.pay();
      await visit.screen('paid');
    },
  },
  {
    name: 'receipt',
    screen: null,
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      await visit.open(await paidByCard(desk));
      await visit.page.locator('a[href*="/receipt?"]').click();
      await visit.page.locator('.receipt').waitFor();
    },
  },
  {
    name: 'expired',
    screen: 'expired',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await orderOf(desk, shortLived);
      await desk.service.advance(60);
      await visit.open(order);
    },
  },
  {
    name: 'expired-while-paying',
    screen: 'expired',
    pays: false,
    status: 410,
    async arrive(desk, visit) {
      await unaware(visit);
      const order = await orderOf(desk, shortLived);
      await visit.open(order);
      await visit.choose(byCard);
      await desk.service.advance(60);
      await visit.pay();
      await visit.screen('expired');
    },
  },
  {
    name: 'expired-then-paid',
    screen: 'paid',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      // The provider refused to make a session, and had made it.
      await desk.fault('sessions.create', 'status', { status: 400, processed: true });
      const order = await orderOf(desk, shortLived);
      const checkout = checkoutOf(desk.service, order);
      expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(422);
      await desk.service.advance(60);
      await desk.until(order, 'expired');
      const { id } = await desk.sessionOf(order);
      await desk.sim('POST', `/sessions/${id}/pay`, {});
      await desk.until(order, 'paid');
      await visit.open(order);
    },
  },
  {
    name: 'refunded',
    screen: 'refunded',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await paidByCard(desk);
      await visit.open(order);
      await desk.service.admin('POST', `/collection-orders/${order.order_no}/refunds`, {
        reason: 'returned',
      });
      await desk.until(order, 'refunded');
      await followed(visit, order);
    },
  },
  {
    name: 'charged-back',
    screen: 'chargeback',
    pays: false,
    lasting: true,
    async arrive(desk, visit) {
      const order = await paidByCard(desk);
      const { id } = await desk.sessionOf(order);
      await visit.open(order);
      await desk.sim('POST', `/sessions/${id}/dispute`, { outcome: 'lost' });
      await desk.until(order, 'chargeback');
      await followed(visit, order);
    },
  },
  {
    name: 'offline',
    screen: 'choose',
    pays: true,
    scripts_only: true,
    async arrive(desk, visit) {
      await visit.open(await orderOf(desk));
      await visit.choose(byCard);
      await visit.context.setOffline(true);
      await visit.page.locator('.banner.offline').waitFor();
    },
  },
  {
    name: 'limited',
    screen: null,
    pays: false,
    status: 429,
    async arrive(desk, visit) {
      const order = await orderOf(desk);
      // What is refused without a token is counted as well, and costs little.
      const state = `/checkout/api/${order.order_no}`;
      await Promise.all(
        Array.from({ length: 180 }, () => desk.service.send('GET', state, { headers: visit.from })),
      );
      await visit.open(order);
    },
  },
  {
    name: 'unavailable',
    screen: null,
    pays: false,
    status: 503,
    async arrive(desk, visit) {
      const order = await orderOf(desk);
      // A process that cannot reach the rate limiter refuses everyone.
      const other = await desk.service.another('web', { REDIS_URL: 'redis://127.0.0.1:1' });
      desk.origins.push(other.url);
      await visit.open({ ...order, checkout_url: order.checkout_url.replace(desk.service.url, other.url) });
      await other.stop();
    },
  },
  {
    name: 'not-found',
    screen: null,
    pays: false,
    lasting: true,
    status: 404,
    async arrive(desk, visit) {
      const order = await orderOf(desk);
      await visit.open({ ...order, checkout_url: order.checkout_url.slice(0, -1) });
    },
  },
];
