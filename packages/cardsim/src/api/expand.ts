import type { Store } from '../records/store.ts';
import { lineItemsOf, wireCharge, wirePaymentIntent, type Wire } from './wire.ts';

/**
 * Replaces an identifier by its object, as `expand[]` requests: `payment_intent`, `latest_charge`, `charge`,
 * `line_items` and paths of them. A null or unknown identifier stays unchanged.
 */
export function expandPath(object: Wire, path: string[], store: Store): void {
  const [member, ...rest] = path;
  if (member === undefined) return;
  if (member === 'data' && Array.isArray(object['data'])) {
    for (const item of object['data'] as Wire[]) expandPath(item, rest, store);
    return;
  }
  if (typeof object[member] === 'string' || member === 'line_items') {
    object[member] = lookUp(object, member, store) ?? object[member];
  }
  const value = object[member];
  if (typeof value === 'object' && value !== null) expandPath(value as Wire, rest, store);
}

function lookUp(object: Wire, member: string, store: Store): Wire | undefined {
  if (member === 'line_items') {
    const session = store.sessions.get(String(object['id']));
    return session && lineItemsOf(session);
  }
  // A charge has no record of its own: it is found through its payment intent.
  const parent = object['payment_intent'];
  const parent_id = typeof parent === 'object' ? (parent as Wire | null)?.['id'] : parent;
  const payment = store.payments.get(String(member === 'latest_charge' ? object['id'] : parent_id));
  if (payment === undefined) return undefined;
  return member === 'payment_intent' ? wirePaymentIntent(payment) : wireCharge(payment);
}
