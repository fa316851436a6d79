import { type LossDesk, openLossDesk, openShop, type Shop } from './losses.ts';
import { addPayer, checkoutOf, onePtk, type Order, type Payer } from './platform.ts';
import type { Answer, Json } from './service.ts';
import { hidden, type Page, type Visitor, visitorOf } from '../people/visitor.ts';

/** A platform on which people can top up by card: USD 10.00 are 100 PTK, and cost USD 10.60. */
export interface TopUpDesk extends LossDesk {
  /** The platform's own merchant. */
  shop: Shop;
  set(top_up: Json): Promise<Answer>;
  /** A new person, signed in, with 1 PTK. */
  person(name?: string): Promise<TopUpPerson>;
}

export interface TopUpPerson extends Payer {
  browser: Visitor;
  page(): Promise<Page>;
  /** The fields of a page that was opened again. */
  form(amount: string, currency?: string): Promise<Record<string, string>>;
  send(fields: Record<string, string>, url?: string): Promise<Page>;
  /** The order of a new top-up. */
  started(amount?: string): Promise<Order>;
  /** Starts the card payment of an order and pays it at the provider; returns the session's id. */
  pay(order: Order, how?: Json): Promise<string>;
  paid(amount?: string): Promise<{ order: Order; session: string }>;
  balance: () => Promise<bigint>;
}

export async function openTopUpDesk(env: Record<string, string> = {}): Promise<TopUpDesk> {
  const desk = await openLossDesk({}, env);
  const { service } = desk;
  const shop = await openShop(desk, { hold_days: 0, role: 'finance' });
  const headers = { authorization: 'Bearer test-administration-key' };
  const set = (top_up: Json): Promise<Answer> =>
    service.send('PUT', '/admin/v1/settings', { headers, body: { top_up } });
  await set({ enabled: true, merchant_no: shop.merchant_no });

  async function person(name = 'Toni Topup'): Promise<TopUpPerson> {
    const payer = await addPayer(service, name, onePtk);
    const browser = visitorOf(service, payer.cookie);
    const page = (): Promise<Page> => browser.get(`${service.url}/account/top-up`);
    const form = async (amount: string, currency = 'USD') => ({
      visit: hidden((await page()).html, 'visit'),
      ...{ amount, currency },
    });
    const send = (fields: Record<string, string>, url = service.url): Promise<Page> =>
      browser.post(`${url}/account/top-up`, fields, { origin: url });
    const started = async (amount = '10.00'): Promise<Order> => {
      const { status, location, html } = await send(await form(amount));
      if (status !== 303) throw new Error(`top-up: ${status} ${html}`);
      return topUpIn(location);
    };
    const pay = async (order: Order, how: Json = {}): Promise<string> => {
      const checkout = checkoutOf(service, order, payer.cookie);
      const { status, text } = await checkout.start(await checkout.methodOf('cardprov'));
      if (status !== 200) throw new Error(`payment: ${status} ${text}`);
      const { items } = await desk.sim<{ items: { id: string; metadata: Json }[] }>('GET', '/sessions');
      const id = items.find(({ metadata }) => metadata.order_no === order.order_no)?.id ?? '';
      await desk.sim('POST', `/sessions/${id}/pay`, how);
      return id;
    };
    return {
      ...{ ...payer, browser, page, form, send, started, pay },
      async paid(amount) {
        const order = await started(amount);
        const session = await pay(order);
        await shop.until(order, 'paid');
        return { order, session };
      },
      async balance() {
        const path = `/users/${payer.user_id}/wallet`;
        return BigInt((await service.admin<{ available_ptk: string }>('GET', path)).available_ptk);
      },
    };
  }
  return { ...desk, shop, set, person };
}

/** The order that the form of a top-up has led to. */
export function topUpIn(location: string): Order {
  const { pathname } = new URL(location);
  return { order_no: pathname.split('/').at(-1) ?? '', checkout_url: location } as Order;
}

export const ptk = (amount: bigint): string => (amount * onePtk).toString();
