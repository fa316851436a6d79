/**
 * Sends statements by mail and over HTTPS (D-382). A file is made from the books at each attempt, so none is stored
 * (D-381); the books only grow, so it is the same each time.
 */
import { exportMail, isLocale, type Locale } from '@paydesk/checkout';
import { walletAccounts } from '@paydesk/contract';
import type { Logger } from '../../base/log.ts';
import { type IdSource, merchantNo } from '../../base/ids.ts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import type { Database } from '../../base/pg/index.ts';
import type { LiveBranding } from '../../base/settings/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { type Clock, later, minutes, seconds } from '../../base/time/clock.ts';
import type { Attachment, SendDeps } from '../../identity/mail/index.ts';
import { selectLocale } from '../../identity/people/index.ts';
import { type Merchant, selectMerchant } from '../../merchants/index.ts';
import {
  maxAutomaticAttempts,
  nextDeliveryAttempt,
  type PostDeps,
  postOutsideOutbox,
  signedHeaders,
  unixSeconds,
} from '../../notifications/delivery-attempts/index.ts';
import { periodIn, periodOf } from '../wallet/period.ts';
import { openingBalance, openStatement, type Statement } from '../wallet/statement.ts';
import type { Heading } from '../wallet/statement-pdf.ts';
import { statementCsv } from '../wallet/statement-csv.ts';
import { teamMate } from './recipients.ts';
import { queueDueExport } from './queue-exports.ts';
import { tellFailing } from './tell-failing.ts';
import { type ExportError, isRecipient, type StatementExport } from './statement-export.ts';
import {
  claimDelivery,
  type ClaimedDelivery,
  deleteDelivery,
  endAttempt,
  selectExport,
  selectExportForUpdate,
} from './statement-export.sql.ts';

export interface SendExportDeps extends PostDeps {
  db: Database;
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  box: SecretBox;
  log: Logger;
  branding: Pick<LiveBranding, 'current'>;
  /** Null where no mail is sent. */
  mailer: SendDeps['mailer'] | null;
  public_url: string;
  /** Whether the process stops: then no other delivery begins. */
  isEnding?: () => boolean;
  /** Bytes of attachments at most; a longer statement is a link in the mail. */
  most_mailed?: number;
}

/** Mail servers commonly refuse 10 MB, and base64 takes a third more. */
const most_mailed = 5_000_000;
const most_posted = 25_000_000;
/** Time limit of a POST: a statement is longer than a notification. */
const post_ms = seconds(30);
/** Longer than making a file and sending it takes. */
const lease_ms = minutes(5);

/** How an attempt ended. `over`: another attempt would end in the same way. */
interface Ended {
  error: ExportError | null;
  http_status?: number | null;
  over?: boolean;
}

/** How many deliveries of a process are under way at once, each of another merchant. */
const lanes = 4;

/**
 * Queues and tries what is due; returns how much that was. Invariant: a receiver that does not answer delays no other
 * merchant, because each lane goes on by itself, and a merchant has one under way (D-1074). No lane begins another one after
 * `post_ms`, or in a process that stops: the pass ends soon.
 */
export async function sendDueExports(deps: SendExportDeps): Promise<number> {
  const began = performance.now();
  const isEnding = (): boolean => deps.isEnding?.() === true;
  const lane = async (): Promise<number> => {
    for (let done = 0; ;) {
      const queued = await queueDueExport(deps);
      const claim = isEnding() ? null : await claimDue(deps);
      if (claim !== null) await sendClaimed(deps, claim);
      const found = queued + (claim === null ? 0 : 1);
      done += found;
      if (found === 0 || isEnding() || performance.now() - began > post_ms) return done;
    }
  };
  const running = Array.from({ length: lanes }, lane);
  // Where one fails, the whole pass ends after it.
  await Promise.allSettled(running);
  const done = await Promise.all(running);
  return done.reduce((sum, one) => sum + one, 0);
}

function claimDue({ db, clock }: SendExportDeps): Promise<ClaimedDelivery | null> {
  const real = clock.real();
  return claimDelivery(db, { now: clock.now(), real, lease_until: later(real, lease_ms) });
}

/** Tries a delivery once. */
async function sendClaimed(deps: SendExportDeps, claim: ClaimedDelivery): Promise<void> {
  const { db, clock } = deps;
  const { merchant_id, export_id, user_id } = claim;
  const [of, merchant] = await Promise.all([
    selectExport(db, merchant_id, export_id),
    selectMerchant(db, merchant_id),
  ]);
  if (of === null || merchant === null || !isRecipient(of, user_id)) {
    await deleteDelivery(db, claim);
    return;
  }
  const tried = after(claim, await attemptOnce(deps, claim, { of, merchant }), clock.now());
  await db.transaction(async (tx) => {
    // The export before its delivery, as those who change it.
    const now = await selectExportForUpdate(tx, merchant_id, export_id);
    if (now !== null && (await endAttempt(tx, tried)))
      await tellFailing(tx, deps, { of: now, merchant }, tried);
  });
}

/** The delivery after an attempt: sent, given up, or due again on the schedule of notifications. */
function after(
  claim: ClaimedDelivery,
  { error, http_status = null, over = false }: Ended,
  at: Date,
): ClaimedDelivery {
  const tried = { ...claim, last_error: error, last_http_status: http_status };
  if (error === null) return { ...tried, due_at: null, sent_at: at, failing_since: null };
  const failing_since = claim.failing_since ?? at;
  const { next_attempt_at } = nextDeliveryAttempt({
    ...{ end: 'failed', attempt: claim.attempts, manual: over, at },
  });
  return { ...tried, due_at: next_attempt_at, failing_since };
}

interface About {
  of: StatementExport;
  merchant: Merchant;
}

/** Where a file cannot be made, or its key not opened, this is an attempt like others (D-1119). */
async function attemptOnce(deps: SendExportDeps, claim: ClaimedDelivery, about: About): Promise<Ended> {
  try {
    return await attempt(deps, claim, about);
  } catch (error) {
    const { merchant_id, export_id, period } = claim;
    deps.log.error({ err: error, merchant_id, export_id, period }, 'a statement could not be made or sent');
    return { error: 'interrupted' };
  }
}

function attempt(deps: SendExportDeps, claim: ClaimedDelivery, about: About): Promise<Ended> | Ended {
  // Each of its attempts was interrupted: something about it stops the process.
  if (claim.attempts > maxAutomaticAttempts) return { error: 'interrupted', over: true };
  return claim.user_id === null ? post(deps, claim, about) : mail(deps, claim, claim.user_id, about);
}

const open = ({ db, clock }: SendExportDeps, { merchant_id, period, time_zone }: ClaimedDelivery) =>
  openStatement(db, merchant_id, periodOf(period, clock.now(), time_zone), walletAccounts);

/** What the wallet has at both ends of the period, and the change between them. */
async function balancesOf(
  { db, clock }: SendExportDeps,
  { merchant_id, period, time_zone }: ClaimedDelivery,
) {
  const { from, to } = periodOf(period, clock.now(), time_zone);
  const [opening, closing] = await Promise.all([
    openingBalance(db, merchant_id, from),
    openingBalance(db, merchant_id, to),
  ]);
  const ptk = (units: bigint): string => formatMinor(units, ptkDecimals);
  return { opening: ptk(opening), net: ptk(closing - opening), closing: ptk(closing) };
}

/** All bytes of a file; null if there are more than `most`. The rest is not read then. */
async function bytesOf(parts: AsyncIterable<string | Buffer>, most: number): Promise<Buffer | null> {
  const all: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > most) return null;
    all.push(bytes);
  }
  return Buffer.concat(all);
}

const csvType = 'text/csv; charset=utf-8';

/** Posts the CSV, signed as a notification is, to an address that is checked now (D-133). */
async function post(deps: SendExportDeps, claim: ClaimedDelivery, { of }: About): Promise<Ended> {
  const { url, secret_box, export_id } = of;
  if (url === null || secret_box === null) return { error: 'interrupted' };
  const secret = deps.box.open(secret_box, sealed.statementExportSecret.row({ export_id }));
  // A program reads it, so it is in English for every export.
  const body = await bytesOf(statementCsv(await open(deps, claim), 'en'), most_posted);
  if (body === null) return { error: 'too_large', over: true };
  const timestamp = unixSeconds(deps.clock.real());
  const headers = {
    ...signedHeaders({ event_id: claim.delivery_id, timestamp, body, secret }),
    'content-type': csvType,
    'content-disposition': `attachment; filename="statement-${claim.period}.csv"`,
  };
  const { attempts } = claim;
  return postOutsideOutbox(deps, {
    url: new URL(url),
    headers,
    body,
    attempt: attempts,
    timeout_ms: post_ms,
  });
}

/** Mails the files to a person who still works for the merchant. */
async function mail(
  deps: SendExportDeps,
  claim: ClaimedDelivery,
  user_id: string,
  about: About,
): Promise<Ended> {
  const { db, mailer, public_url, log } = deps;
  const { merchant } = about;
  const person = await teamMate(db, merchant, user_id);
  if (person === null) return { error: 'not_a_member', over: true };
  if (mailer === null) return { error: 'mail_refused' };
  const kept = (await selectLocale(db, user_id)) ?? 'en';
  const locale = isLocale(kept) ? kept : 'en';
  const attachments = await attachmentsOf(deps, claim, about, locale);
  const merchant_no = merchantNo(merchant.merchant_id);
  const text = exportMail(locale, {
    merchant: merchant.name,
    period: periodIn(locale, claim.period),
    time_zone: claim.time_zone,
    balances: await balancesOf(deps, claim),
    attached: attachments !== null,
    link: `${public_url}/console/merchants/${merchant_no}/exports`,
  });
  try {
    await mailer.send({
      ...{ to: person.email, ...text, message_id: `<${claim.delivery_id}@${new URL(public_url).hostname}>` },
      ...(attachments === null ? {} : { attachments }),
    });
    return { error: null };
  } catch (error) {
    // The log has the mail server's answer, never the recipient or the text.
    log.warn({ err: error, tries: claim.attempts }, 'the mail server did not accept a statement');
    return { error: 'mail_refused' };
  }
}

interface Maker {
  content_type: string;
  make: (statement: Statement) => AsyncIterable<string | Buffer>;
}

/** Loaded where it is needed: the library for PDF takes 20 MB. */
async function pdfMaker(heading: Heading): Promise<Maker['make']> {
  const { statementPdf } = await import('../wallet/statement-pdf.ts');
  return (statement) => statementPdf(statement, heading);
}

/** The CSV, and the PDF if it is wanted; null if they are too long for a mail. */
async function attachmentsOf(
  deps: SendExportDeps,
  claim: ClaimedDelivery,
  { of, merchant }: About,
  locale: Locale,
): Promise<Attachment[] | null> {
  const most = deps.most_mailed ?? most_mailed;
  const merchant_no = merchantNo(merchant.merchant_id);
  const heading = { platform: deps.branding.current().name, merchant: merchant.name, merchant_no, locale };
  const makers: Readonly<Record<string, Maker>> = {
    csv: { content_type: csvType, make: (statement) => statementCsv(statement, locale) },
    ...(of.with_pdf ? { pdf: { content_type: 'application/pdf', make: await pdfMaker(heading) } } : {}),
  };
  const files: Attachment[] = [];
  let left = most;
  for (const [kind, { content_type, make }] of Object.entries(makers)) {
    const content = await bytesOf(make(await open(deps, claim)), left);
    if (content === null) return null;
    left -= content.length;
    files.push({ filename: `statement-${claim.period}.${kind}`, content_type, content });
  }
  return files;
}
