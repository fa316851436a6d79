/** The worker's comparison with the providers: every night, each enabled card channel. */
import { days, hours, later } from '../../base/time/clock.ts';
import { type Channel, isConfigured, selectChannels } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { reconcileChannel } from './reconcile-channel.ts';
import {
  endNight,
  type Reconciliation,
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

/**
 * Where the comparison of a night begins: where the last night ended, or where the channel did before its first night
 * (D-1151). A night that could not be read is read again by the next one. What differed is compared again until it is in
 * order, however old it is and whatever a person compares meanwhile (D-1153).
 */
async function startOfNight(
  { db }: PaymentDeps,
  { payment_no, created_at }: Channel,
  now: Date,
): Promise<Date> {
  const [latest, night] = await Promise.all([
    selectLatestReconciliation(db, payment_no),
    selectLatestReconciliation(db, payment_no, 'worker'),
  ]);
  const startsOf = (counts: (run: Reconciliation) => boolean): number[] =>
    [latest, night].flatMap((run) => (run !== null && counts(run) ? [run.since.getTime()] : []));
  const last = night === null ? created_at : later(night.until, -overlap_ms);
  const unread = startsOf(({ failure }) => failure !== null);
  const start = Math.min(+later(now, -lookBack_ms.least), +last, ...unread);
  const differing = startsOf(({ differences }) => differences.length > 0);
  return new Date(Math.min(Math.max(start, +later(now, -lookBack_ms.most)), ...differing));
}

async function reconcileAndTell(deps: PaymentDeps, channel: Channel, now: Date): Promise<void> {
  const { payment_no } = channel;
  const since = await startOfNight(deps, channel, now);
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
