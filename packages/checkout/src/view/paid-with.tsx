/** The means and the time of a payment; and how long an asynchronous method takes. */
import { useEffect, useState } from 'preact/hooks';
import type { CheckoutAttempt, CheckoutMethod } from '../model/state.ts';
import { momentIn, type Ui } from './ui.ts';

/** The name of the method, and as far as the provider tells, brand, last four characters and wallet (D-263). */
export function paidWithText(method: CheckoutMethod | null, attempt: CheckoutAttempt | null): string {
  const paid = attempt?.paid_with;
  if (paid === undefined) return method?.name ?? '';
  const { name, last4, wallet } = paid;
  return `${name}${last4 === undefined ? '' : ` •••• ${last4}`}${wallet === undefined ? '' : ` (${wallet})`}`;
}

/** The longest time of an asynchronous payment that is under way (D-262). */
export function Wait({ attempt }: { attempt: CheckoutAttempt | null }) {
  const { paid_with, wait } = attempt ?? {};
  return paid_with === undefined || wait === undefined ? null : (
    <p>
      <bdi>{paid_with.name}</bdi>: {wait}
    </p>
  );
}

/** A time in UTC, as the server writes it, and then in the zone of the browser (D-630). */
export function Moment({ ui, at }: { ui: Pick<Ui, 'locale'>; at: string }) {
  const [zone, setZone] = useState<string | null>('UTC');
  useEffect(() => {
    setZone(null);
  }, []);
  return <time dateTime={at}>{momentIn(ui.locale, at, zone)}</time>;
}
