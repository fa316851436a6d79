/** Keeps the checkout page up to date with its order. */
import type { CheckoutState } from '../model/state.ts';
import { apiPath, type LinkContext } from '../view/links.ts';
import { isState, readState } from './api.ts';
import { pollDelay_ms } from './poll-schedule.ts';

export interface Follower {
  /** Reads the state at once. */
  refresh: () => Promise<void>;
  stop: () => void;
}

/**
 * Follows an order by its event stream, and by polling while the stream is not open. While the page is hidden or
 * offline it does neither; when the page is back it reads at once.
 */
export function follow(context: LinkContext, onState: (state: CheckoutState) => void): Follower {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet = 0;
  let last = '';
  let stopped = false;

  const isResting = (): boolean => stopped || document.hidden || !navigator.onLine;

  function take(state: CheckoutState): void {
    // The remaining seconds differ in every answer, so they are not news.
    const now = JSON.stringify({ ...state, seconds_left: 0 });
    quiet = now === last ? quiet + 1 : 0;
    last = now;
    onState(state);
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const outcome = await readState(context);
    if (stopped) return;
    if (outcome.kind === 'state') take(outcome.state);
    else quiet += 1;
    schedule(outcome.kind === 'later' ? outcome.retry_after_s : null);
  }

  function schedule(retry_after_s: number | null = null): void {
    clearTimeout(timer);
    if (isResting() || stream?.readyState === EventSource.OPEN) return;
    timer = setTimeout(() => void refresh(), pollDelay_ms(quiet, retry_after_s));
  }

  function listen(): void {
    if (stream !== null || isResting()) return;
    stream = openStream(context, {
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

interface StreamHandlers {
  onState: (state: CheckoutState) => void;
  /** The order may have changed; the event does not say how. */
  onHint: () => void;
  onOpen: () => void;
  onError: () => void;
}

/** Opens the order's event stream. */
function openStream(context: LinkContext, { onState, onHint, onOpen, onError }: StreamHandlers): EventSource {
  const stream = new EventSource(apiPath(context, '/events'));
  const read = (event: MessageEvent<string>): void => {
    try {
      const state: unknown = JSON.parse(event.data);
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
