import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Notice } from '../catalogue/notices.ts';
import { isSettled, screenOf } from '../model/screen.ts';
import type { CheckoutState } from '../model/state.ts';
import type { AppContext } from '../view/props.ts';
import { startPayment } from './api.ts';
import { follow, type Follower } from './follow.ts';

/** `starting`: the server was asked. `redirecting`: the browser is on its way to the provider. */
export type Phase = 'idle' | 'starting' | 'redirecting';

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

  useEffect(() => {
    setLive(true);
    // What has been told is not told again after a reload.
    remember({ notice: null, retry_after_s: null });
    // A page that comes back from the browser's cache is at rest again, whatever it was doing.
    const onShow = (event: PageTransitionEvent): void => {
      if (!event.persisted) return;
      busy.current = false;
      setPhase('idle');
      refresh();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('pageshow', onShow);
    };
  }, []);

  useEffect(() => {
    if (settled) return undefined;
    const following = follow(context, setState);
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
    void startPayment(context, method_id).then(async (outcome) => {
      if (outcome.kind === 'redirect') {
        setPhase('redirecting');
        location.assign(outcome.url);
        return;
      }
      if (outcome.kind === 'unclear') tell({ code: 'unclear' });
      if (outcome.kind === 'refused') {
        const { code, retry_after_s } = outcome;
        tell(retry_after_s === undefined ? { code } : { code, retry_after_s });
      }
      // What the order is now is the server's to say, whatever the answer was.
      await follower.current?.refresh();
      busy.current = false;
      setPhase('idle');
    });
  }, []);

  const choose = useCallback((method_id: string): void => {
    setChosen(method_id);
    tell(null);
    remember({ method: method_id });
  }, []);

  return { state, notice, phase, live, online, chosen, choose, pay, tell, refresh };
}

/** Keeps a choice in the page's address, so that a reload shows the same; `null` takes a parameter away. */
function remember(parameters: Readonly<Record<string, string | null>>): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(history.state, '', address);
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
