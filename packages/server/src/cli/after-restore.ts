import { access, constants, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AuditDeps } from '../base/audit/index.ts';
import { oneLine } from '../base/input/one-line.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { OffsetClock } from '../base/time/clock.ts';
import { createLog } from '../base/log.ts';
import { selectChannels } from '../channels/index.ts';
import { withPayments } from '../compose/payments-alone.ts';
import { readArchive } from '../notifications/delivery/index.ts';
import { reconcilable } from '../payments/reconciliation/index.ts';
import { putInOrder, type RestoreResult } from '../restore/after-restore.ts';
import { beginTurn, holdTraffic, OtherRunError, releaseTraffic, type Turn } from '../restore/hold.ts';
import { usingJournal } from '../restore/journal.ts';
import { lettersOf } from '../restore/letters.ts';
import type { RestoreDeps } from '../restore/settle-missing.ts';
import { type CommandContext, withDatabase } from './shared/command.ts';
import { CommandError, UsageError } from './shared/command-errors.ts';
import { readSpan } from './shared/read-time.ts';
import { demandSecretKeys } from './shared/secret-keys.ts';

/** Longer than a process needs to learn of the hold. */
const settled_ms = 1_500;

type Deps = RestoreDeps & AuditDeps;

/**
 * `paydesk after-restore`: puts the books in order after a restore, while all traffic is held. Exit code 1 if a provider
 * could not be read; the traffic then stays held.
 */
export async function afterRestoreCommand({ options, flags, config }: CommandContext): Promise<number> {
  if (flags.has('hold') && flags.has('release'))
    throw new UsageError('--hold and --release exclude each other.');
  const isWhole = !flags.has('hold') && !flags.has('release');
  // Wrong usage must not hold anything.
  if (isWhole) readSpan(options, new OffsetClock().real());
  if (isWhole) await checkFiles(options);
  const keys = await demandSecretKeys(config);
  return withDatabase(
    config,
    'paydesk after-restore',
    (db) =>
      withPayments({ config, db, log: createLog('silent') }, keys, async (deps) => {
        try {
          return await (isWhole
            ? restoreInTurn(deps, options, flags.has('keep'))
            : switchTraffic(deps, flags));
        } catch (error) {
          throw error instanceof OtherRunError ? new CommandError(error.message) : error;
        }
      }),
    { max: 4, statement_timeout_ms: 0 },
  );
}

const reason = 'paydesk after-restore puts a restored database in order';

async function switchTraffic(deps: Deps, flags: CommandContext['flags']): Promise<number> {
  if (flags.has('release')) {
    await releaseTraffic(deps);
    console.log('Traffic flows again.');
    return 0;
  }
  await holdTraffic(deps, reason);
  await tellHeld();
  return 0;
}

/** Every process knows of the hold after this, and has answered what it had begun. */
async function tellHeld(): Promise<void> {
  console.log('Traffic is held.');
  await pause(settled_ms);
}

async function restoreInTurn(
  deps: Deps,
  options: CommandContext['options'],
  keeps: boolean,
): Promise<number> {
  const turn = await beginTurn(deps, reason);
  try {
    await tellHeld();
    return await restore(deps, options, turn, keeps);
  } finally {
    // Without it the turn ends by itself a minute later.
    await turn.end().catch(() => undefined);
  }
}

async function restore(
  deps: Deps,
  options: CommandContext['options'],
  turn: Turn,
  keepsHolding: boolean,
): Promise<number> {
  const span = readSpan(options, deps.clock.real());
  const { archive, letters = 'letters' } = options;
  const all = await selectChannels(deps.db);
  const asked = {
    ...span,
    channels: reconcilable(all),
    archive: archive === undefined ? null : readArchive(addressOf(archive)),
    demandTurn: () => turn.demand(),
    tell: (line: string) => {
      console.log(line);
    },
  };
  const result = await usingJournal({ ...asked, db: deps.db, folder: letters }, async (journal) => {
    const done = await putInOrder(deps, { ...asked, journal });
    // They would call lost what that provider may have (D-1373).
    if (done.failures.length > 0) journal.keep();
    else await writeLetters(letters, done);
    return done;
  });
  for (const line of summaryOf(result)) console.log(line);
  // Its sessions of the gap may have been paid, or can still be.
  for (const { payment_no } of all.filter(({ provider, enabled }) => provider === 'cardprov' && !enabled)) {
    console.log(
      `Not compared: channel ${payment_no} is disabled. If it was used in the gap, enable it and run this again.`,
    );
  }
  if (result.failures.length > 0) {
    for (const failure of result.failures) console.error(`A provider could not be read: ${failure}.`);
    console.error(
      'Traffic stays held. No letter was written: the letters of the next run that reads every provider tell what this one has done.',
    );
    console.error(
      'Run the command again with the same --since and --letters, or "paydesk after-restore --release".',
    );
    return 1;
  }
  if (keepsHolding) {
    console.log('Traffic stays held until "paydesk after-restore --release".');
    return 0;
  }
  await turn.release();
  console.log('Traffic flows again.');
  return 0;
}

/** A full disk takes an empty file (D-1394). Letters are smaller. */
const probe_bytes = 1 << 20;

/** Before anything is held: the letters can be written, and the archive is there (D-1317). */
async function checkFiles({ letters = 'letters', archive }: CommandContext['options']): Promise<void> {
  const probe = join(letters, '.probe');
  try {
    await makeDirectory(letters, 0o700);
    await writeFile(probe, Buffer.alloc(probe_bytes), { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    await rm(probe, { force: true }).catch(() => undefined);
    throw new CommandError(`The letters cannot be written to ${resolve(letters)} (${code}).`);
  }
  if (archive === undefined || /^https?:/.test(archive)) return;
  const path = archive.startsWith('file:') ? fileURLToPath(archive) : archive;
  await access(path, constants.R_OK).catch(() => {
    throw new CommandError(`The archive ${path} cannot be read.`);
  });
}

/** The address of an archive: a path, or what PAYDESK_NOTIFICATION_ARCHIVE names. */
const addressOf = (archive: string): string =>
  /^(file|https?):/.test(archive) ? archive : pathToFileURL(resolve(archive)).href;

/** Writes one text and one JSON file for each merchant. They name payments, so only their owner may read them. */
async function writeLetters(directory: string, result: RestoreResult): Promise<void> {
  const letters = lettersOf(result);
  for (const { merchant_no, text, json } of letters) {
    await writeLetter(directory, `${merchant_no}.txt`, text);
    await writeLetter(directory, `${merchant_no}.json`, `${JSON.stringify(json, null, 2)}\n`);
  }
  console.log(`${letters.length === 1 ? '1 letter' : `${letters.length} letters`} in ${resolve(directory)}.`);
}

/** The letter of an earlier run stays, under its time: what that run has settled is in no later letter. */
async function writeLetter(directory: string, name: string, text: string): Promise<void> {
  const path = join(directory, name);
  const earlier = await lstat(path).catch(() => null);
  if (earlier !== null) {
    const at = earlier.mtime.toISOString().replaceAll(':', '');
    await rename(path, join(directory, name.replace('.', `.${at}.`)));
  }
  await writeFile(path, text, { mode: 0o600 });
}

function summaryOf({ payments, events, keys, codes }: RestoreResult): string[] {
  const lostPtk = new Set(
    events.flatMap(({ verdict, status, provider_trade_no, order_no }) =>
      verdict === 'void' && status === 'paid' && provider_trade_no?.startsWith('PTK:') ? [order_no] : [],
    ),
  ).size;
  const count = (verdict: string): number => payments.filter((of) => of.verdict === verdict).length;
  const isVoid = events.filter(({ verdict }) => verdict === 'void').length;
  return [
    `Payments: ${count('settled')} settled, ${count('adopted')} adopted, ${count('listed')} left for a person.`,
    `Refunds and disputes: ${count('followed')} applied.`,
    `Events: ${events.length - isVoid} true again, ${isVoid} void.`,
    `Idempotency keys: ${keys.length} marked.`,
    ...payments.flatMap(({ provider_payment_id, order_no, case_id, why, to_do }) => {
      if (to_do === null) return [];
      const of = `order ${order_no ?? 'unknown'}${case_id === null ? '' : `, case ${case_id}`}`;
      return [oneLine(`Left: payment ${provider_payment_id ?? ''}, ${of}: ${why}`), `  ${to_do.operator}`];
    }),
    ...(lostPtk === 0
      ? []
      : [`Payments in PTK that are lost: ${lostPtk}. The letters say what each merchant does.`]),
    ...(codes.length === 0
      ? []
      : [
          `Products that hand out codes: ${codes.length}. Codes of the gap are in stock again: send the letters of their ` +
            'merchants first.',
        ]),
  ];
}
