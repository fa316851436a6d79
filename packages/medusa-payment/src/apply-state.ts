/** Brings the state of a collection order into Medusa: once, however many notifications and look-ups report it. */
import { randomUUID } from 'node:crypto';
import type { MedusaRequest } from '@medusajs/framework/http';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import {
  completeCartWorkflow,
  createPaymentSessionsWorkflow,
  refundPaymentWorkflow,
} from '@medusajs/medusa/core-flows';
import { isPaid, sameAmount, type CollectionOrder } from '@paydesk/sdk';
import { decimalOf } from './amounts.ts';
import { decide, type Decision, type ShopCollection } from './decide.ts';

type Data = Record<string, unknown>;
type MedusaContainer = MedusaRequest['scope'];

interface StoredPayment {
  id: string;
  raw_amount: unknown;
  data: Data | null;
  captured_at: unknown;
  refunds: { raw_amount: unknown }[];
}

interface StoredCollection {
  id: string;
  currency_code: string;
  raw_amount: unknown;
  metadata: Data | null;
  order_link?: { order_id: string } | undefined;
  payment_sessions: { provider_id: string; raw_amount: unknown; data: Data | null }[];
  payments: StoredPayment[];
}

interface Query {
  graph(question: { entity: string; fields: string[]; filters: Data }): Promise<{ data: unknown[] }>;
}

/** How long another notification of the same cart, and a completion of it, is waited for. */
const patience_s = 30;
/** How often a completion is looked at. */
const pause_ms = 300;

interface Locking {
  execute<T>(key: string, work: () => Promise<T>, options: { timeout: number }): Promise<T>;
  acquire(key: string, options: { ownerId: string; expire: number }): Promise<void>;
  release(key: string, options: { ownerId: string }): Promise<unknown>;
}

/**
 * Takes in what Paydesk says, one state of a cart after the other (D-367).
 *
 * @param provider_id such as `pp_paydesk_paydesk`
 * @param state read from Paydesk
 * @returns what was done; null if this shop has no such payment collection
 */
export function apply(
  container: MedusaContainer,
  provider_id: string,
  state: CollectionOrder,
  options: { accept_test_mode: boolean },
): Promise<Decision['action'] | null> {
  const locking = container.resolve<Locking>(Modules.LOCKING);
  return locking.execute(
    `paydesk:${state.external_reference}`,
    async () => {
      if (isPaid(state)) await waitForCompletion(locking, await cartOf(container, state.external_reference));
      const collection = await readCollection(container, state.external_reference);
      if (collection === undefined) return null;
      const payment = collection.payments.find(({ data }) => data?.['event_id'] === state.event_id);
      const decision = decide(state, shopCollection(collection, payment), options);
      if (decision.action === 'complete') await completeOrTell(container, collection, provider_id, state);
      else if (decision.action === 'tell') await tell(container, collection, decision.text);
      else if (decision.action === 'refund' && payment !== undefined)
        await bookRefund(container, collection, payment.id, state);
      return decision.action;
    },
    { timeout: patience_s },
  );
}

/**
 * Waits for a completion of the cart that a buyer has begun: after it has booked the payment it can still fail, and then gives
 * up the order (D-1293). The lock is Medusa's own. One that stays taken, as that of a process that died, is waited for no longer.
 */
async function waitForCompletion(locking: Locking, cart_id: string | undefined): Promise<void> {
  if (cart_id === undefined) return;
  const ownerId = randomUUID();
  for (let waited_ms = 0; waited_ms < patience_s * 1_000; waited_ms += pause_ms) {
    const isFree = await locking.acquire(cart_id, { ownerId, expire: patience_s }).then(
      () => true,
      () => false,
    );
    if (isFree) {
      await locking.release(cart_id, { ownerId });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}

/** Books the platform's refund. Medusa's workflow fails without an order, which a cart that was given up has not (D-1145). */
async function bookRefund(
  container: MedusaContainer,
  { order_link }: StoredCollection,
  payment_id: string,
  { amount }: CollectionOrder,
): Promise<void> {
  const input = { payment_id, amount, note: 'By the operator of Paydesk' };
  if (order_link !== undefined) await refundPaymentWorkflow(container).run({ input });
  else {
    await container
      .resolve<{ refundPayment(input: object): Promise<unknown> }>(Modules.PAYMENT)
      .refundPayment(input);
  }
}

async function readCollection(container: MedusaContainer, id: string): Promise<StoredCollection | undefined> {
  const query = container.resolve<Query>(ContainerRegistrationKeys.QUERY);
  const fields = [
    'id',
    'currency_code',
    'raw_amount',
    'metadata',
    'payment_sessions.provider_id',
    'payment_sessions.raw_amount',
    'payment_sessions.data',
    'payments.id',
    'payments.raw_amount',
    'payments.data',
    'payments.captured_at',
    'payments.refunds.raw_amount',
  ];
  const { data } = await query.graph({
    entity: 'payment_collection',
    fields,
    filters: { id },
  });
  const [collection] = data as StoredCollection[];
  if (collection === undefined) return undefined;
  const linked = await query.graph({
    entity: 'order_payment_collection',
    fields: ['order_id'],
    filters: { payment_collection_id: id },
  });
  return { ...collection, order_link: linked.data[0] as StoredCollection['order_link'] };
}

/** The cart of a payment collection; undefined if it is gone. */
async function cartOf(
  container: MedusaContainer,
  payment_collection_id: string,
): Promise<string | undefined> {
  const query = container.resolve<Query>(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({
    entity: 'cart_payment_collection',
    fields: ['cart_id'],
    filters: { payment_collection_id },
  });
  return (data[0] as { cart_id: string } | undefined)?.cart_id;
}

function shopCollection(collection: StoredCollection, payment: StoredPayment | undefined): ShopCollection {
  return {
    id: collection.id,
    amount: decimalOf(collection.raw_amount),
    currency: collection.currency_code.toUpperCase(),
    hasOrder: collection.order_link !== undefined,
    // Without an order, a buyer whose payment was refunded can pay the cart again (D-1157).
    isPaid: collection.payments.some(
      ({ captured_at, refunds }) =>
        captured_at !== null && (collection.order_link !== undefined || refunds.length === 0),
    ),
    booked: payment && {
      amount: decimalOf(payment.raw_amount),
      status_version: Number(payment.data?.['status_version']),
      event_id: String(payment.data?.['event_id']),
      isRefunded: payment.refunds.length > 0,
    },
  };
}

const isBooked = ({ payments }: StoredCollection, { event_id }: CollectionOrder): boolean =>
  payments.some(({ data, captured_at }) => data?.['event_id'] === event_id && captured_at !== null);

/** Completes the cart. If that fails, the shop's people are told, and Paydesk sends the notification again (D-372). */
async function completeOrTell(
  container: MedusaContainer,
  collection: StoredCollection,
  provider_id: string,
  state: CollectionOrder,
): Promise<void> {
  try {
    await complete(container, collection, provider_id, state);
    const done = await readCollection(container, collection.id);
    // A process that dies between the two leaves an order without its payment, which Medusa does not mend.
    if (done !== undefined && done.order_link !== undefined && !isBooked(done, state))
      throw new Error('the order is there, but without this payment');
  } catch (error) {
    const now = await readCollection(container, collection.id);
    // The buyer's own call was faster.
    if (now?.order_link !== undefined && isBooked(now, state)) return;
    const { order_no, amount, currency } = state;
    const text = `Paydesk, ${order_no} of ${amount} ${currency}: ${collection.id} was paid, but its cart could not be completed: ${(error as Error).message}. It is tried again for a day, unless its payment is booked already. If there is no order then, make it by hand, or ask the operator of Paydesk to refund ${order_no}.`;
    await tell(container, now ?? collection, text);
    throw error;
  }
}

/**
 * Completes the cart, which authorizes the session: the provider asks Paydesk again, and Medusa books the payment with its
 * order. A session that Medusa dropped meanwhile, without another price, is made anew.
 */
async function complete(
  container: MedusaContainer,
  collection: StoredCollection,
  provider_id: string,
  state: CollectionOrder,
): Promise<void> {
  const cart_id = await cartOf(container, collection.id);
  if (cart_id === undefined) {
    await tell(container, collection, `Paydesk, ${state.order_no}: it was paid, but its cart is gone.`);
    return;
  }
  const isThis = (session: StoredCollection['payment_sessions'][number]): boolean =>
    session.provider_id === provider_id &&
    session.data?.['order_no'] === state.order_no &&
    sameAmount(decimalOf(session.raw_amount), state.amount);
  if (!collection.payment_sessions.some(isThis)) {
    const input = { payment_collection_id: collection.id, provider_id };
    await createPaymentSessionsWorkflow(container).run({ input });
  }
  await completeCartWorkflow(container).run({ input: { id: cart_id } });
}

/** Tells the shop's people, once: in the notifications of the administration, in the log, and at the collection. */
async function tell(container: MedusaContainer, collection: StoredCollection, text: string): Promise<void> {
  const told = (collection.metadata?.['paydesk'] ?? []) as string[];
  if (told.includes(text)) return;
  container.resolve<{ error(text: string): void }>(ContainerRegistrationKeys.LOGGER).error(text);
  await container
    .resolve<{ createNotifications(input: object): Promise<unknown> }>(Modules.NOTIFICATION)
    .createNotifications({
      to: '',
      channel: 'feed',
      template: 'admin-ui',
      data: { title: 'Paydesk: a payment needs you', description: text },
    });
  await container
    .resolve<{ updatePaymentCollections(id: string, values: object): Promise<unknown> }>(Modules.PAYMENT)
    .updatePaymentCollections(collection.id, {
      metadata: { ...collection.metadata, paydesk: [...told, text] },
    });
}
