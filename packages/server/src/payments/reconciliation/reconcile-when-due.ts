/** The worker's comparison with the providers: every night, each enabled card channel. */
import { days, hours, later, minutes } from '../../base/time/clock.ts';
import { type Channel, isConfigured, selectChannels } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { reconcileChannel, type ReconciliationRequest } from './reconcile-channel.ts';
import {
  endNight,
  extendNight,
  selectLatestReconciliation,
  selectNights,
  takeNight,
} from './reconciliation.sql.ts';

/** At 02:00 UTC, before everything in the books is checked. */
const night_ms = hours(2);

/** What was under way at the end of the night before is compared too. */
const overlap_ms = hours(2);

/** What is compared at least, and at most after a stop: the provider keeps events for 30 days. */
const lookBack_ms = { least: hours(26), most: days(30) };

/** Renewed meanwhile, so that no second process begins, however long it takes. */
const lease_ms = hours(2);
const renewal_ms = minutes(10);

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
 * @param signal ends the comparison, which another process begins again
 * @returns always 0: after a run, nothing more is due
 */
export async function reconcileWhenDue(deps: PaymentDeps, signal: AbortSignal): Promise<number> {
  const night = lastNight(deps.clock.now());
  const nights = await selectNights(deps.db);
  for (const channel of reconcilable(await selectChannels(deps.db))) {
    const { payment_no, created_at } = channel;
    const known = nights.get(payment_no);
    const now = deps.clock.now();
    // One that is more than an hour ahead is not this one: the clock was set back since (D-1113).
    const isDone = known?.done === true && known.night >= night && known.night <= later(now, hours(1));
    if (isDone || created_at > night) continue;
    const ofNight = { payment_no, at: night };
    if (!(await takeNight(deps.db, { ...ofNight, now, until: later(now, lease_ms) }))) continue;
    const renewal = setInterval(() => {
      extendNight(deps.db, { ...ofNight, until: later(deps.clock.now(), lease_ms) }).catch(() => undefined);
    }, renewal_ms);
    try {
      await reconcileAndTell(deps, channel, { until: now, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      await extendNight(deps.db, { ...ofNight, until: now });
      return 0;
    } finally {
      clearInterval(renewal);
    }
    await endNight(deps.db, payment_no, night);
  }
  return 0;
}

/**
 * What a night compares: the time since the last one ended, or since the channel began before its first night (D-1151). A
 * night that could not be read is read again by the next one. What differed is compared again by itself until it is in order,
 * however old it is and whatever a person compares meanwhile (D-1153).
 */
async function whatToCompare(
  { db }: PaymentDeps,
  { payment_no, created_at }: Channel,
  now: Date,
): Promise<Pick<ReconciliationRequest, 'since' | 'earlier'>> {
  const [latest, night] = await Promise.all([
    selectLatestReconciliation(db, payment_no),
    selectLatestReconciliation(db, payment_no, 'worker'),
  ]);
  const runs = [latest, night].flatMap((run) => run ?? []);
  const last = night === null ? created_at : later(night.until, -overlap_ms);
  const unread = runs.flatMap(({ failure, since }) => (failure === null ? [] : [since.getTime()]));
  const start = Math.min(+later(now, -lookBack_ms.least), +last, ...unread);
  return {
    since: new Date(Math.max(start, +later(now, -lookBack_ms.most))),
    earlier: runs.filter(({ differences }) => differences.length > 0),
  };
}

async function reconcileAndTell(
  deps: PaymentDeps,
  channel: Channel,
  request: Required<Pick<ReconciliationRequest, 'until' | 'signal'>>,
): Promise<void> {
  const { payment_no } = channel;
  const what = await whatToCompare(deps, channel, request.until);
  const { result } = await reconcileChannel(deps, channel, { ...request, ...what, run_by: 'worker' });
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
