/** Keeps the checkout page up to date with its order. */
import type { CheckoutState } from '../model/state.ts';
import { eventsPath, type LinkContext } from '../view/links.ts';
import { isState, type ReadOutcome, readState } from './api.ts';
import { openStream } from './embedded.ts';
import { pollDelay_ms } from './poll-schedule.ts';
import type { OrderStream } from './token-stream.ts';

export interface Follower {
  /** Reads the state at once. */
  refresh: () => Promise<void>;
  stop: () => void;
}

/**
 * Follows an order from a state that is known by its event stream, and by polling while the stream is not open. While the page is hidden or
 * offline it does neither; when the page is back it reads at once.
 */
export function follow(
  context: LinkContext,
  known: CheckoutState,
  onState: (state: CheckoutState) => void,
): Follower {
  let stream: OrderStream | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet = 0;
  let latest = known;
  const read = newestReads(context);
  let stopped = false;

  const isResting = (): boolean => stopped || document.hidden || !navigator.onLine;

  function take(state: CheckoutState): void {
    quiet = newsIn(state) === newsIn(latest) ? quiet + 1 : 0;
    latest = state;
    onState(state);
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const outcome = await read();
    if (stopped || outcome === null) return;
    if (outcome.kind === 'state') take(outcome.state);
    else quiet += 1;
    if (outcome.isLast) schedule(outcome.kind === 'later' ? outcome : null);
  }

  /** @param failure of a read: the stream does not tell again what it would have shown (D-1252) */
  function schedule(failure: { retry_after_s: number | null } | null = null): void {
    clearTimeout(timer);
    if (isResting() || (failure === null && stream?.readyState === EventSource.OPEN)) return;
    timer = setTimeout(() => void refresh(), pollDelay_ms(quiet, failure?.retry_after_s ?? null));
  }

  function listen(): void {
    if (stream !== null || isResting()) return;
    stream = readStream(openStream(eventsPath(context, latest.version), context), {
      onState: take,
      onHint: () => void refresh(),
      onOpen: () => {
        clearTimeout(timer);
      },
      // The browser reconnects by itself unless the stream was refused: then polling goes on alone.
      onError: () => {
        schedule();
      },
    });
  }

  function rest(): void {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  }

  function onChange(): void {
    if (isResting()) {
      rest();
      return;
    }
    quiet = 0;
    void refresh();
    listen();
  }

  const stopWatching = watchPage(onChange);
  listen();
  schedule();
  return {
    refresh,
    stop: () => {
      stopped = true;
      rest();
      stopWatching();
    },
  };
}

/**
 * Reads the state each time. The outcome is null where a read that began later has shown the state. `isLast`: no read that began
 * later has ended, with a failure either (D-1252).
 */
function newestReads(context: LinkContext): () => Promise<(ReadOutcome & { isLast: boolean }) | null> {
  let [begun, ended, shown] = [0, 0, 0];
  return async () => {
    const turn = ++begun;
    const outcome = await readState(context);
    if (turn < shown) return null;
    if (outcome.kind === 'state') shown = turn;
    const isLast = turn > ended;
    if (isLast) ended = turn;
    return { ...outcome, isLast };
  };
}

interface StreamHandlers {
  onState: (state: CheckoutState) => void;
  /** The order may have changed; the event does not say how. */
  onHint: () => void;
  onOpen: () => void;
  onError: () => void;
}

/** The remaining seconds differ in every answer, so they are not news. */
const newsIn = (state: CheckoutState): string => JSON.stringify({ ...state, seconds_left: 0 });

/** Reads the order's event stream. */
function readStream(stream: OrderStream, { onState, onHint, onOpen, onError }: StreamHandlers): OrderStream {
  const read = (event: Event): void => {
    try {
      const state: unknown = JSON.parse((event as MessageEvent<string>).data);
      if (isState(state)) {
        onState(state);
        return;
      }
    } catch {
      // Not JSON: a hint as well.
    }
    onHint();
  };
  stream.addEventListener('message', read);
  stream.addEventListener('state', read);
  stream.addEventListener('open', onOpen);
  stream.addEventListener('error', onError);
  return stream;
}

/** Calls back whenever the page is shown or hidden, or goes online or offline. The answer ends that. */
function watchPage(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    document.removeEventListener('visibilitychange', onChange);
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
