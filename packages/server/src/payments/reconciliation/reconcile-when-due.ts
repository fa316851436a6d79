/** The worker's comparison with the providers: every night, each enabled card channel. */
import { days, hours, later } from '../../base/time/clock.ts';
import { type Channel, isConfigured, selectChannels } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { reconcileChannel } from './reconcile-channel.ts';
import { endNight, selectLatestReconciliations, selectNights, takeNight } from './reconciliation.sql.ts';

/** At 02:00 UTC, before everything in the books is checked. */
const night_ms = hours(2);
/** Longer than a day, so that what was under way in the night before is compared too. */
const lookBack_ms = hours(26);
/** Longer than it takes to read hundreds of thousands of records, so that no second process begins meanwhile. */
const lease_ms = hours(2);

/** The start of the latest night. */
export const lastNight = (now: Date): Date => {
  const day_ms = days(1);
  return new Date(Math.floor((now.getTime() - night_ms) / day_ms) * day_ms + night_ms);
};

/** The card channels whose provider can be asked. */
export const reconcilable = (channels: readonly Channel[]): Channel[] =>
  channels.filter((channel) => channel.provider === 'cardprov' && channel.enabled && isConfigured(channel));

/**
 * Compares each enabled card channel with its provider, once a night by the service's clock. A channel belongs to one
 * process at a time; if that process dies, another one takes over when its lease ends.
 *
 * @returns always 0: after a run, nothing more is due
 */
export async function reconcileWhenDue(deps: PaymentDeps): Promise<number> {
  const night = lastNight(deps.clock.now());
  const nights = await selectNights(deps.db);
  for (const channel of reconcilable(await selectChannels(deps.db))) {
    const { payment_no, created_at } = channel;
    const known = nights.get(payment_no);
    const isDone = known !== undefined && known.done && known.night >= night;
    if (isDone || created_at > night) continue;
    const now = deps.clock.now();
    const claim = { payment_no, at: night, now, until: later(now, lease_ms) };
    if (!(await takeNight(deps.db, claim))) continue;
    await reconcileAndTell(deps, channel, now);
    await endNight(deps.db, payment_no, night);
  }
  return 0;
}

async function reconcileAndTell(deps: PaymentDeps, channel: Channel, now: Date): Promise<void> {
  const { payment_no } = channel;
  // What differed, or could not be read, is compared again until it is in order.
  const latest = (await selectLatestReconciliations(deps.db)).find((run) => run.payment_no === payment_no);
  const isInOrder = latest === undefined || (latest.differences.length === 0 && latest.failure === null);
  const usual = later(now, -lookBack_ms);
  const since = isInOrder || latest.since > usual ? usual : latest.since;
  const { result } = await reconcileChannel(deps, channel, { since, until: now, run_by: 'worker' });
  const { payments, events, differences, failure } = result;
  const told = { payment_no, payments, events, differences: differences.length };
  if (failure !== null)
    deps.log.warn({ ...told, failure }, 'a provider could not be compared with the books');
  else if (differences.length === 0) deps.log.info(told, 'a provider was compared with the books');
  else
    deps.log.error(
      { ...told, first: differences[0] },
      'a provider and the books differ: see PaydeskProviderDiffers in docs/operating/alerts.md',
    );
}
