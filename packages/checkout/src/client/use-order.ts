/** The state of the checkout page in the browser: follows the order and starts its payment. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Notice } from '../texts/notices.ts';
import type { CheckoutState } from '../model/state.ts';
import type { AppContext } from '../view/props.ts';
import { closePayment, type StartOutcome, startPayment } from './api.ts';
import { follow, type Follower } from './follow.ts';

/** `starting`: the server was asked. `redirecting`: the browser leaves for the provider's page. */
export type Phase = 'idle' | 'starting' | 'redirecting';

/** How long leaving for the provider's page may take, in milliseconds. */
const departure_ms = 15_000;

/** How long a form is at rest after it has opened a tab, so that a double click opens one. */
const opening_ms = 3_000;

/** The page's state and what buyers do with it. The server renders the first values only. */
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
  /** Closes the open payment page and previews another method. */
  change: (method_id: string) => void;
  /** In a frame, the form pays in a tab of its own; the page goes on and follows the order. */
  leaveToTab: () => void;
  tell: (notice: Notice | null) => void;
  refresh: () => void;
}

/** Follows the order and starts its payment. While a start is under way, further clicks do nothing. */
export function useOrder(initial: CheckoutState, context: AppContext): OrderPage {
  const [state, setState] = useState(initial);
  const [notice, tell] = useState(context.notice);
  const [phase, setPhase] = useState<Phase>('idle');
  const [live, setLive] = useState(false);
  const [chosen, setChosen] = useState(context.preview_method_id);
  const online = useOnline();
  const busy = useRef(false);
  const follower = useFollower(context, initial, (next) => {
    // While a payment is being started, its answer comes first: the page stays as it is unless the order has left
    // `pending` meanwhile.
    if (!busy.current || next.status !== 'pending') setState(next);
  });

  const refresh = useCallback((): void => {
    void follower.current?.refresh();
  }, []);

  /** Ends a start: reads the state again and lets the buyer act. */
  const rest = useCallback((): void => {
    busy.current = false;
    void (follower.current?.refresh() ?? Promise.resolve()).then(() => {
      if (!busy.current) setPhase('idle');
    });
  }, []);

  useEffect(() => {
    setLive(true);
    // A notice that was shown is not shown again after a reload.
    remember({ notice: null, retry_after_s: null });
  }, []);
  useReturnFromCache(rest);

  const pay = useCallback((method_id: string): void => {
    if (busy.current) return;
    busy.current = true;
    setPhase('starting');
    tell(null);
    void startPayment(context, method_id).then((outcome) => {
      if (outcome.kind === 'redirect') {
        setPhase('redirecting');
        location.assign(outcome.url);
        // If the page is still here after a while, the redirect has failed: show where the order stands.
        setTimeout(rest, departure_ms);
        return;
      }
      if (outcome.kind !== 'paid') tell(noticeOf(outcome));
      // Whatever the answer was, the service says what the order is now.
      rest();
    });
  }, []);

  const choose = useCallback((method_id: string): void => {
    setChosen(method_id);
    tell(null);
    remember({ method: method_id });
  }, []);

  const change = useCallback((method_id: string): void => {
    if (busy.current) return;
    busy.current = true;
    setPhase('starting');
    tell(null);
    void closePayment(context).then((outcome) => {
      if (outcome.kind === 'state') {
        setState(outcome.state);
        choose(method_id);
      } else if (outcome.kind === 'refused' || outcome.kind === 'unclear') {
        tell(noticeOf(outcome));
      }
      rest();
    });
  }, []);

  const leaveToTab = leavingBy(setPhase, rest);
  return { state, notice, phase, live, online, chosen, choose, pay, change, leaveToTab, tell, refresh };
}

/** Follows the order as long as the page is open. A paid order too: it can be refunded or charged back (D-259). */
function useFollower(context: AppContext, known: CheckoutState, onState: (state: CheckoutState) => void) {
  const follower = useRef<Follower | null>(null);
  useEffect(() => {
    const following = follow(context, known, onState);
    follower.current = following;
    return () => {
      follower.current = null;
      following.stop();
    };
  }, []);
  return follower;
}

/** The message to the buyer about a start without a next page. */
function noticeOf(outcome: Extract<StartOutcome, { kind: 'refused' | 'unclear' }>): Notice {
  if (outcome.kind === 'unclear') return { code: 'unclear' };
  const { code, retry_after_s } = outcome;
  return retry_after_s === undefined ? { code } : { code, retry_after_s };
}

/** Shows for a moment that a tab opens. */
const leavingBy = (setPhase: (phase: Phase) => void, rest: () => void) => (): void => {
  setPhase('redirecting');
  setTimeout(rest, opening_ms);
};

/** Calls back when the browser shows the page again from its cache. */
function useReturnFromCache(onReturn: () => void): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) onReturn();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('pageshow', onShow);
    };
  }, []);
}

/**
 * Keeps a choice in the page's address and in its links to other languages, so that a reload or a change of language
 * shows the same. `null` removes a parameter.
 */
function remember(parameters: Readonly<Record<string, string | null>>): void {
  history.replaceState(history.state, '', withParameters(location.href, parameters));
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')) {
    link.href = withParameters(link.href, parameters);
  }
}

function withParameters(href: string, parameters: Readonly<Record<string, string | null>>): string {
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
