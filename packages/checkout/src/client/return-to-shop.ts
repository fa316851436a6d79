/** Leads the buyer back to the merchant after a payment. */
import { useEffect, useState } from 'preact/hooks';

/** Long enough to read the confirmation, and within the limit of D-123. */
const pause_ms = 3_000;

/** One page load returns once at most, even if the browser shows the page again. */
let returned = false;

/** Whether this entry of the browser's history has led to the shop. A buyer who comes back from there wants to stay. */
const hasReturned = (): boolean =>
  returned || (history.state as { returned?: boolean } | null)?.returned === true;

/**
 * Takes the buyer back to the merchant once the confirmation was visible for a moment (R-219, D-123).
 *
 * @param address the stored address, already checked; null if there is none or the order is not paid
 * @returns whether a return is under way, and how to stay
 */
export function useReturn(address: string | null): { leaving: boolean; stay: () => void } {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (address === null || hasReturned()) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A hidden page shows no confirmation: the pause begins when the page is visible.
    const begin = (): void => {
      clearTimeout(timer);
      if (document.hidden || hasReturned()) return;
      setLeaving(true);
      timer = setTimeout(() => {
        // The buyer has said to stay.
        if (hasReturned()) return;
        returned = true;
        history.replaceState({ returned }, '');
        // Nothing is appended.
        location.href = address;
      }, pause_ms);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [address]);
  const stay = (): void => {
    returned = true;
    setLeaving(false);
  };
  return { leaving, stay };
}
