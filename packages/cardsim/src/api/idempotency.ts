/** Stores answers under idempotency keys and returns them for a day. */
import { createHash } from 'node:crypto';
import type { IdempotencyRecord } from '../records/records.ts';
import { StripeError } from './stripe-error.ts';
import { canonicalForm, type FormTree } from './stripe-form.ts';
import type { Store } from '../records/store.ts';

const lifetime_seconds = 86_400;

export type IdempotentCall = { account: string; key: string; method: string; path: string; params: FormTree };

/**
 * Returns the answer that was stored under the key, or undefined if the key is new or older than a day.
 *
 * @throws StripeError 400 `idempotency_error` if the key was used with another path or other parameters
 */
export function storedAnswer(
  store: Store,
  call: IdempotentCall,
  now_seconds: number,
): IdempotencyRecord | undefined {
  if (call.key.length > 255) {
    const message = 'Idempotency-Key must be at most 255 characters';
    throw new StripeError(400, { type: 'idempotency_error', message });
  }
  const stored = store.idempotency.get(storageKey(call));
  if (stored === undefined) return undefined;
  if (stored.created + lifetime_seconds <= now_seconds) {
    store.idempotency.delete(storageKey(call));
    return undefined;
  }
  if (stored.fingerprint === fingerprint(call)) return stored;
  throw new StripeError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${call.key}' if you meant to execute a different request.`,
  });
}

/** Stores an answer for later calls under the same key. */
export function storeAnswer(
  store: Store,
  call: IdempotentCall,
  answer: Omit<IdempotencyRecord, 'key' | 'fingerprint'>,
): void {
  store.idempotency.set(storageKey(call), { key: call.key, fingerprint: fingerprint(call), ...answer });
}

/**
 * Deletes keys older than a day. The map is ordered by time, so the search stops at the first younger key.
 */
export function forgetOldKeys(store: Store, now_seconds: number): void {
  for (const [key, record] of store.idempotency) {
    if (record.created + lifetime_seconds > now_seconds) return;
    store.idempotency.delete(key);
  }
}

function storageKey(call: IdempotentCall): string {
  return `${call.account} ${call.key}`;
}

function fingerprint(call: IdempotentCall): string {
  const text = `${call.method} ${call.path} ${canonicalForm(call.params)}`;
  return createHash('sha256').update(text).digest('hex');
}
