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
 * Follows an order by the event stream, and by polling for as long as the stream is not open. Rests while the page is
 * hidden or offline, and reads at once when it is back.
 */
export function follow(context: LinkContext, onState: (state: CheckoutState) => void): Follower {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet = 0;
  let last = '';
  let stopped = false;

  const resting = (): boolean => stopped || document.hidden || !navigator.onLine;

  function take(state: CheckoutState): void {
    // The remaining seconds always differ; news is what else does.
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
    if (resting() || stream?.readyState === EventSource.OPEN) return;
    timer = setTimeout(() => void refresh(), pollDelay_ms(quiet, retry_after_s));
  }

  function listen(): void {
    if (stream !== null || resting()) return;
    stream = new EventSource(apiPath(context, '/events'));
    const read = (event: MessageEvent<string>): void => {
      try {
        const state: unknown = JSON.parse(event.data);
        if (isState(state)) {
          take(state);
          return;
        }
      } catch {
        // An event without a state only says that there is one to read.
      }
      void refresh();
    };
    stream.addEventListener('message', read);
    stream.addEventListener('state', read);
    stream.addEventListener('open', () => {
      clearTimeout(timer);
    });
    stream.addEventListener('error', () => {
      // The browser reconnects by itself unless the stream was refused: then polling goes on alone.
      schedule();
    });
  }

  function rest(): void {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  }

  function onChange(): void {
    if (resting()) {
      rest();
      return;
    }
    quiet = 0;
    void refresh();
    listen();
  }

  document.addEventListener('visibilitychange', onChange);
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  listen();
  schedule();
  return {
    refresh,
    stop: () => {
      stopped = true;
      rest();
      document.removeEventListener('visibilitychange', onChange);
      window.removeEventListener('online', onChange);
      window.removeEventListener('offline', onChange);
    },
  };
}
