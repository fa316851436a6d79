/** Makes a test order go through what a shop has to handle, with the card simulator in the place of the provider. */
import { setTimeout as wait } from 'node:timers/promises';
import type { PaydeskClient } from '@paydesk/sdk';
import { OffsetClock } from '../../base/time/clock.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import type { CommandContext } from '../shared/command.ts';
import { loggedIn, refused } from './login.ts';

const outcomes = ['paid', 'expired', 'refunded', 'chargeback'] as const;
type Outcome = (typeof outcomes)[number];

interface Trigger {
  client: PaydeskClient;
  url: string;
  /** The key that refunds: that of the settings, otherwise that of the demo platform (D-683). */
  admin_key: string | null;
  pause: (ms: number) => Promise<unknown>;
}

/** `paydesk trigger OUTCOME`. */
export async function triggerCommand(context: CommandContext): Promise<number> {
  const { amount = '', currency = '' } = context.options;
  const outcome = outcomes.find((one) => one === context.argument);
  if (outcome === undefined) throw new UsageError(`trigger takes one of ${outcomes.join(', ')}.`);
  const login = await loggedIn(context);
  await trigger({ ...login, pause: wait }, outcome, { amount, currency }).catch((error: unknown) =>
    refused(error, login.url),
  );
  return 0;
}

/** Creates an order and brings it to its outcome. Prints each status. */
export async function trigger(
  given: Trigger,
  outcome: Outcome,
  price: { amount: string; currency: string },
): Promise<void> {
  const { client, admin_key } = given;
  if (outcome === 'refunded' && admin_key === null) {
    throw new CommandError(
      'Only the platform can refund: set PAYDESK_ADMIN_KEY, or log in to the demo platform.',
    );
  }
  const reference = `trigger-${outcome}-${new OffsetClock().now().getTime()}`;
  const order = await client.createOrder({
    external_reference: reference,
    idempotency_key: reference,
    ...price,
    // The shortest life of an order.
    ...(outcome === 'expired' ? { expires_in: 60 } : {}),
  });
  console.log(`${order.order_no} is pending (${reference}, ${order.amount} ${order.currency})`);
  if (outcome === 'expired') {
    console.log('It expires in 60 seconds …');
    return until(given, order.order_no, 'expired', 90_000);
  }
  const session = await openSession(given, order.order_no, order.checkout_url);
  await post(`${session}/pay`, {});
  await until(given, order.order_no, 'paid');
  if (outcome === 'refunded') {
    const path = `/admin/v1/collection-orders/${encodeURIComponent(order.order_no)}/refunds`;
    await post(
      `${given.url}${path}`,
      { reason: 'paydesk trigger' },
      { authorization: `Bearer ${admin_key ?? ''}` },
    );
    await until(given, order.order_no, 'refunded');
  }
  if (outcome === 'chargeback') {
    await post(`${session}/dispute`, { outcome: 'lost' });
    await until(given, order.order_no, 'chargeback');
  }
}

/** Starts the card payment as the buyer's page does. Gives the address of the session in the simulator's control. */
async function openSession({ url }: Trigger, order_no: string, checkout_url: string): Promise<string> {
  const token = new URL(checkout_url).searchParams.get('token') ?? '';
  const headers = { 'x-checkout-token': token, origin: new URL(url).origin };
  const address = `${url}/checkout/api/${encodeURIComponent(order_no)}`;
  const state = (await answerOf(await fetch(address, { headers }))) as {
    methods: { method_id: string; provider: string; usable: boolean; login_required: boolean }[];
  };
  const method = state.methods.find(
    ({ provider, usable, login_required }) => provider === 'cardprov' && usable && !login_required,
  );
  if (method === undefined) throw new CommandError('The order has no card channel that a guest can use.');
  const started = (await post(`${address}/payments`, { method_id: method.method_id }, headers)) as {
    redirect_url?: string;
  };
  const page = new URL(started.redirect_url ?? url);
  const [session] = /cs_[A-Za-z0-9_]+/.exec(page.pathname) ?? [];
  const control = `${page.origin}/_sim/sessions`;
  const is_simulator = await fetch(control, { signal: AbortSignal.timeout(5_000), redirect: 'manual' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (session === undefined || !is_simulator) {
    throw new CommandError(
      `${page.origin} is not the card simulator, or not on this machine. "paydesk start" runs one.`,
    );
  }
  return `${control}/${session}`;
}

/** Waits until the order has the status. */
async function until(
  { client, pause }: Trigger,
  order_no: string,
  wanted: string,
  most_ms = 30_000,
): Promise<void> {
  const step_ms = 500;
  let seen = '';
  for (let waited_ms = 0; waited_ms <= most_ms; waited_ms += step_ms) {
    const { status } = await client.getOrder(order_no);
    if (status === wanted) {
      console.log(`${order_no} is ${status}`);
      return;
    }
    seen = status;
    await pause(step_ms);
  }
  throw new CommandError(
    `${order_no} is still ${seen} after ${most_ms / 1000} seconds, and should be ${wanted}.`,
  );
}

async function post(address: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const sent = { ...headers, 'content-type': 'application/json' };
  return answerOf(await fetch(address, { method: 'POST', headers: sent, body: JSON.stringify(body) }));
}

/** The body of a success. Ends the command with the error of a refusal. */
async function answerOf(answer: Response): Promise<unknown> {
  const body = (await answer.json().catch(() => ({}))) as { error?: unknown; error_description?: unknown };
  if (answer.ok) return body;
  const code = typeof body.error === 'string' ? body.error : 'no reason given';
  const why = typeof body.error_description === 'string' ? body.error_description : '';
  throw new CommandError(`${new URL(answer.url).pathname} refused: ${answer.status} ${code}. ${why}`);
}
