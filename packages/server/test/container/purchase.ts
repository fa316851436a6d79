/** One order of each kind of payment, against a service that has just been started. */
import type { Cardsim } from '@paydesk/cardsim';
import { ask, type Answer, type Json } from '../crash/ask.ts';
import { getTokens, type Platform, setUpPlatform, signAllIn } from '../crash/platform.ts';
import { until } from '../chaos/database-pair.ts';

export interface Shop {
  url: string;
  platform: Platform;
  cardsim: Cardsim;
}

/** Sets up the platform through the administration API, and signs everyone in. */
export async function openShop(url: string, admin_key: string, cardsim: Cardsim): Promise<Shop> {
  const admin = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${admin_key}` };
    return call<T>(`${url}/admin/v1${path}`, method, { headers, ...(body === undefined ? {} : { body }) });
  };
  const platform = await setUpPlatform({ admin }, cardsim);
  await getTokens({ url }, platform);
  await signAllIn({ url }, platform);
  return { url, platform, cardsim };
}

interface Order {
  order_no: string;
  checkout_url: string;
}

/** Creates an order and pays it, from a wallet or by card; returns when it is read as paid. */
export async function buy({ url, platform, cardsim }: Shop, provider: 'ptk' | 'cardprov'): Promise<string> {
  const [client] = platform.clients;
  const [buyer] = platform.buyers;
  const headers = { authorization: `Bearer ${client?.token ?? ''}` };
  const request = {
    external_reference: `${provider}-1`,
    idempotency_key: `${provider}-1/1`,
    amount: '10.00',
    currency: 'USD',
    expires_in: 3_600,
  };
  const payments = `${url}/openapi/v1/merchant-payments`;
  const order = await call<Order>(payments, 'POST', { headers, body: request });
  const checkout = {
    'x-checkout-token': new URL(order.checkout_url).searchParams.get('token') ?? '',
    origin: url,
    ...(provider === 'ptk' ? { cookie: buyer.cookie } : {}),
  };
  const page = `${url}/checkout/api/${order.order_no}`;
  const { methods } = await call<{ methods: { method_id: string; provider: string }[] }>(page, 'GET', {
    headers: checkout,
  });
  const method_id = methods.find((method) => method.provider === provider)?.method_id;
  const paying = await call<{ redirect_url?: string }>(`${page}/payments`, 'POST', {
    headers: checkout,
    body: { method_id },
  });
  if (paying.redirect_url !== undefined) {
    const session = new URL(paying.redirect_url).pathname.split('/').at(-1) ?? '';
    await call(`${cardsim.url}/_sim/sessions/${session}/pay`, 'POST', { body: {} });
  }
  await until(
    async () => (await call<Json>(`${payments}/${order.order_no}`, 'GET', { headers })).status === 'paid',
    30_000,
  );
  return order.order_no;
}

async function call<T>(url: string, method: string, asked: Parameters<typeof ask>[2]): Promise<T> {
  const answer: Answer<T> | null = await ask<T>(url, method, asked);
  if (answer === null || answer.status >= 300) {
    throw new Error(`${method} ${url}: ${answer === null ? 'no answer' : `${answer.status} ${answer.text}`}`);
  }
  return answer.body;
}
