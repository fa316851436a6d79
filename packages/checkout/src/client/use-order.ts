import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Notice } from '../catalogue/notices.ts';
import { isSettled, screenOf } from '../model/screen.ts';
import type { CheckoutState } from '../model/state.ts';
import type { AppContext } from '../view/props.ts';
import { startPayment } from './api.ts';
import { follow, type Follower } from './follow.ts';

/** `starting`: the server was asked. `redirecting`: the browser is on its way to the provider. */
export type Phase = 'idle' | 'starting' | 'redirecting';

/** How long the way to the provider may take, in milliseconds. */
const departure_ms = 15_000;

/** The moving parts of the page. On the server only the first values are ever seen. */
export interface OrderPage {
  state: CheckoutState;
  notice: Notice | null;
  phase: Phase;
  /** True once scripts run. */
  live: boolean;
  online: boolean;
  chosen: string | null;
  choose: (method_id: string) => void;
  pay: (method_id: string) => void;
  tell: (notice: Notice | null) => void;
  refresh: () => void;
}

/** Follows the order, and starts its payment when asked (once, however often). */
export function useOrder(initial: CheckoutState, context: AppContext): OrderPage {
  const [state, setState] = useState(initial);
  const [notice, tell] = useState(context.notice);
  const [phase, setPhase] = useState<Phase>('idle');
  const [live, setLive] = useState(false);
  const [chosen, setChosen] = useState(context.preview_method_id);
  const online = useOnline();
  const follower = useRef<Follower | null>(null);
  const busy = useRef(false);
  const settled = isSettled(screenOf(state).kind);

  const refresh = useCallback((): void => {
    void follower.current?.refresh();
  }, []);

  const rest = useCallback((): void => {
    busy.current = false;
    void (follower.current?.refresh() ?? Promise.resolve()).then(() => {
      if (!busy.current) setPhase('idle');
    });
  }, []);

  useEffect(() => {
    setLive(true);
    // What has been told is not told again after a reload.
    remember({ notice: null, retry_after_s: null });
    // A page that comes back from the browser's cache is at rest again, whatever it was doing.
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) rest();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('pageshow', onShow);
    };
  }, []);

  useEffect(() => {
    if (settled) return undefined;
    // While a payment is being started the page stays where it is: its answer comes first. What is more than a
    // step of that very start is shown at once.
    const following = follow(context, (next) => {
      if (!busy.current || next.status !== 'pending') setState(next);
    });
    follower.current = following;
    return () => {
      follower.current = null;
      following.stop();
    };
  }, [settled]);

  const pay = useCallback((method_id: string): void => {
    if (busy.current) return;
    busy.current = true;
    setPhase('starting');
    tell(null);
    void startPayment(context, method_id).then((outcome) => {
      if (outcome.kind === 'redirect') {
        setPhase('redirecting');
        location.assign(outcome.url);
        // A page that is still here after a while did not get away: it shows where the order stands.
        setTimeout(rest, departure_ms);
        return;
      }
      if (outcome.kind === 'unclear') tell({ code: 'unclear' });
      if (outcome.kind === 'refused') {
        const { code, retry_after_s } = outcome;
        tell(retry_after_s === undefined ? { code } : { code, retry_after_s });
      }
      // What the order is now is the server's to say, whatever the answer was.
      rest();
    });
  }, []);

  const choose = useCallback((method_id: string): void => {
    setChosen(method_id);
    tell(null);
    remember({ method: method_id });
  }, []);

  return { state, notice, phase, live, online, chosen, choose, pay, tell, refresh };
}

/**
 * Keeps a choice in the page's address and in its links to other languages, so that a reload or a change of language
 * shows the same; `null` takes a parameter away.
 */
function remember(parameters: Readonly<Record<string, string | null>>): void {
  history.replaceState(history.state, '', changed(location.href, parameters));
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')) {
    link.href = changed(link.href, parameters);
  }
}

function changed(href: string, parameters: Readonly<Record<string, string | null>>): string {
  const address = new URL(href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  return address.href;
}

function useOnline(): boolean {
  const [online, setOnline] = useState(true);
  useEffect(() => {
    const look = (): void => {
      setOnline(navigator.onLine);
    };
    look();
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return online;
}
