/**
 * Where an act comes from: the address and the session of the request that is being answered. It travels with the
 * request's asynchronous context, so that no writer has to pass it on (ADR 20). Outside a request there is none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { restingStorage } from '../context/resting-storage.ts';

export interface Origin {
  address: string;
  /** The id of the session that the request came with; null where it has none. Computed on demand. */
  session_id: () => string | null;
  /** The SHA-256 of that session's token. */
  session_hash: () => Buffer | null;
  /** The merchant in whose console the person acts; null elsewhere. */
  merchant_id: () => string | null;
}

const origins = new AsyncLocalStorage<Origin>();

const rest = restingStorage(origins);

/**
 * Keeps origins known until the returned function was called. A request holds them from before `runFrom` to its end, also
 * where its caller has gone before (D-991).
 */
export const holdOrigins = rest.hold;

/** Runs `work`, and all that it starts, as part of a request. */
export const runFrom = <T>(origin: Origin, work: () => T): T => origins.run(origin, work);

export const originNow = (): Origin | undefined => origins.getStore();
