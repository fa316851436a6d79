/** Creates, changes, deletes and repeats scheduled exports (D-383). */
import type { StatementExportTerms } from '@paydesk/contract';
import { AppError, invalid } from '../../base/errors.ts';
import { isUuid } from '../../base/input/decode.ts';
import { dayBefore, readTimeZone } from '../../base/time/zone-days.ts';
import type { Tx } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { type Merchant, roleAt, selectMerchantForUpdate } from '../../merchants/index.ts';
import { parseNotifyUrl } from '../../notifications/addresses/index.ts';
import { newSigningSecret, sealSigningSecret } from '../../notifications/settings/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { firstDayOf, periodName, runningSince } from '../wallet/period.ts';
import {
  deliveriesOf,
  deliveriesOfEnded,
  dueAfter,
  endOf,
  type StatementExport,
} from './statement-export.ts';
import {
  deleteWaiting,
  insertDelivery,
  insertExport,
  insertOrRepeatDelivery,
  selectExportForUpdate,
  selectExports,
  selectZonesOf,
  updateExport,
} from './statement-export.sql.ts';

type Deps = Pick<
  ConsoleDeps,
  'db' | 'clock' | 'ids' | 'box' | 'log' | 'mail' | 'vetNotifyUrl' | 'notify_allow_cidrs'
>;

/** Exports of a merchant at most. */
const most = 5;

/**
 * Checks what was asked for. Call it outside a transaction, because it resolves the name of the address.
 *
 * @throws AppError `invalid_request`, `invalid_notify_url`
 */
export async function checkTerms(
  deps: Deps,
  merchant: Merchant,
  terms: StatementExportTerms,
): Promise<StatementExportTerms> {
  const user_ids = [...new Set(terms.user_ids)];
  const time_zone = readTimeZone(terms.time_zone);
  if (user_ids.length === 0 && terms.url === null) {
    throw invalid('user_ids', 'Choose a person or an HTTPS address.');
  }
  if (user_ids.length > 0 && !deps.mail) throw invalid('user_ids', 'This service sends no mail.');
  for (const user_id of user_ids) {
    const role = isUuid(user_id) ? await roleAt(deps.db, merchant, user_id) : null;
    if (role === null) throw invalid('user_ids', 'Only people of the team can get it by mail.');
  }
  if (terms.url !== null) await checkUrl(deps, terms.url);
  return { ...terms, user_ids, time_zone };
}

async function checkUrl({ vetNotifyUrl, notify_allow_cidrs }: Deps, url: string): Promise<void> {
  try {
    await vetNotifyUrl(parseNotifyUrl(url, notify_allow_cidrs));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, { ...error.detail, field: 'url' });
  }
}

/** The key of an address: a new one for a new address. `shown` is returned here and never again. */
function keyOf(
  deps: Deps,
  before: StatementExport | null,
  export_id: string,
  url: string | null,
): { secret_box: Buffer | null; shown: string | null } {
  if (url === null) return { secret_box: null, shown: null };
  if (before?.url === url) return { secret_box: before.secret_box, shown: null };
  const shown = newSigningSecret(deps.ids);
  const row = sealed.statementExportSecret.row({ export_id });
  return { secret_box: sealSigningSecret(deps, shown, row), shown };
}

export interface SavedExport {
  before: StatementExport | null;
  after: StatementExport;
  /** The key of a new address. */
  secret: string | null;
}

/** Adds an export with checked terms. Its first period is the one that runs. */
export async function addExport(
  tx: Tx,
  deps: Deps,
  { actor, merchant_id }: { actor: string; merchant_id: string },
  { paused, ...terms }: StatementExportTerms,
): Promise<SavedExport> {
  // The lock is needed: two exports that are added at once must not both count four.
  await selectMerchantForUpdate(tx, merchant_id);
  if ((await selectExports(tx, merchant_id)).length >= most) {
    throw invalid('frequency', `A merchant has at most ${most} scheduled exports.`);
  }
  const now = deps.clock.now();
  const export_id = `se_${deps.ids.ulid(now)}`;
  const { secret_box, shown } = keyOf(deps, null, export_id, terms.url);
  const after = {
    ...{
      ...terms,
      export_id,
      merchant_id,
      secret_box,
      created_by: actor,
      created_at: now,
      failing_since: null,
    },
    ...nextOf(terms, paused, runningSince(terms.frequency, now, terms.time_zone)),
  };
  await insertExport(tx, after);
  return { before: null, after, secret: shown };
}

/** Changes an export to checked terms. Throws `not_found`. */
export async function changeExport(
  tx: Tx,
  deps: Deps,
  { merchant_id, export_id }: { merchant_id: string; export_id: string },
  { paused, ...terms }: StatementExportTerms,
): Promise<SavedExport> {
  const before = await selectExportForUpdate(tx, merchant_id, export_id);
  if (before === null) throw new AppError('not_found');
  const { secret_box, shown } = keyOf(deps, before, export_id, terms.url);
  const goesOn = !paused && before.next_at !== null && before.frequency === terms.frequency;
  const now = deps.clock.now();
  const running = runningSince(terms.frequency, now, terms.time_zone);
  const next_day = goesOn ? await goOnIn(tx, before, terms.time_zone, running) : running;
  const after = { ...before, ...terms, secret_box, ...nextOf(terms, paused, next_day) };
  await updateExport(tx, after);
  if (paused) await deleteWaiting(tx, after);
  // Its next period is another one from now on: what has ended until then is still sent (D-1417).
  else if (!goesOn) for (const one of deliveriesOfEnded(before, now)) await insertDelivery(tx, one);
  return { before, after, secret: shown };
}

/**
 * The period with which an export goes on in a zone, which may be a new one. A period may have ended there that still ran in the
 * zone before (D-1385), or the last one that was sent may have ended earlier than there: the hours after it would be in no
 * statement (D-1431). If that one was not sent, the hours since the export was made would be in none (D-1435).
 */
async function goOnIn(tx: Tx, before: StatementExport, time_zone: string, running: string): Promise<string> {
  const { frequency, next_day, created_at } = before;
  const last = firstDayOf(frequency, dayBefore(next_day, 1));
  // The last one may have been sent in an earlier zone, and not in the one before (D-1470).
  const sent = await selectZonesOf(tx, before, periodName(frequency, last));
  const ends = (sent.length > 0 ? sent : [before.time_zone]).map((zone) => endOf(frequency, last, zone));
  const since = new Date(Math.max(...[created_at, ...ends].map((at) => at.getTime())));
  const after = runningSince(frequency, since, time_zone);
  return [after, next_day].reduce((first, day) => (day < first ? day : first), running);
}

const nextOf = (
  { frequency, time_zone }: Pick<StatementExport, 'frequency' | 'time_zone'>,
  paused: boolean,
  next_day: string,
): Pick<StatementExport, 'next_day' | 'next_at'> => ({
  next_day,
  next_at: paused ? null : dueAfter(frequency, next_day, time_zone),
});

/** Sends the last period that has ended to every recipient, also if it was sent before. Throws `not_found`. */
export async function repeatExport(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { merchant_id, export_id }: { merchant_id: string; export_id: string },
): Promise<{ of: StatementExport; period: string }> {
  const of = await selectExportForUpdate(tx, merchant_id, export_id);
  if (of === null) throw new AppError('not_found');
  const { frequency, time_zone } = of;
  const now = clock.now();
  const last = firstDayOf(frequency, dayBefore(runningSince(frequency, now, time_zone), 1));
  const period = periodName(frequency, last);
  for (const delivery of deliveriesOf(of, period, now)) await insertOrRepeatDelivery(tx, delivery);
  return { of, period };
}
