import { recordAct } from '../../base/audit/index.ts';
import { systemIds } from '../../base/ids.ts';
import { announceChange } from '../../base/caches/live-cache.ts';
import { measuredClock } from '../../base/clocks/measured-clock.ts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { type Database, type Row, sql } from '../../base/pg/index.ts';
import { retention } from '../../base/retention/index.ts';
import { hashPassword, type Person, selectPerson, selectPersonByEmail } from '../../identity/people/index.ts';
import { anonymise } from '../../identity/removal/index.ts';
import { lockWallet } from '../../ledger/books/index.ts';
import { deleteTokensOf } from '../../oauth/consents/index.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import {
  deleteNaming,
  lockPersonToErase,
  type Named,
  type Open,
  selectNaming,
  selectOpen,
} from './person.sql.ts';

/** `paydesk person export|erase`: one person by id or mail address. */
export function personCommand({ argument, options, config }: CommandContext): Promise<number> {
  const { id, email } = options;
  if ((id === undefined) === (email === undefined)) throw new UsageError('person needs --id or --email.');
  if (id !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw new UsageError('--id must be the id of a person.');
  }
  if (argument !== 'export' && argument !== 'erase') throw new UsageError('person takes export or erase.');
  return withDatabase(
    config,
    'paydesk person',
    async (db) => {
      const found =
        id === undefined ? await selectPersonByEmail(db, email ?? '') : await selectPerson(db, id);
      if (found === null)
        throw new CommandError(`There is no such person.${email === undefined ? '' : lostAddress}`);
      if (argument === 'erase') await erase(db, found);
      else console.log(JSON.stringify(await exported(db, found), amountsAsText, 2));
      return 0;
    },
    { statement_timeout_ms: 0 },
  );
}

/** No digest of an erased address is kept: it would tell who was here (D-1462). */
const lostAddress = ' A person who was erased is found only by --id: the address was erased, too.';

/** Amounts are strings, in the smallest unit: a number of JSON would lose digits of a large one (D-1183). */
const amountsAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

/** Every row that names the person, by table. All rows are of one instant. */
export function exported(db: Pick<Database, 'transaction'>, person: Named): Promise<Record<string, Row[]>> {
  return db.transaction(async (tx) => {
    await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    const tables: Record<string, Row[]> = {};
    for (const [table, { people }] of Object.entries(retention)) {
      if (people === undefined) continue;
      const rows = await selectNaming(tx, table, people, person);
      if (rows.length > 0) tables[table] = rows;
    }
    return tables;
  });
}

/** What is open, in words for the operator. */
const words: Readonly<Record<Exclude<keyof Open, 'ptk'>, string>> = {
  orders: 'orders or payments that are not ended',
  holds: 'payments under hold',
  refunds: 'refunds that are not ended',
  complaints: 'complaints that are open',
  merchants: 'merchants that the person owns',
};

function openOf(person: Person, { ptk, ...counts }: Open): string[] {
  return [
    ...(person.role === 'user' ? [] : [`the role ${person.role}: take it away first`]),
    ...(ptk > 0n ? [`${formatMinor(ptk, ptkDecimals)} PTK in the wallet`] : []),
    ...Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${words[name as keyof typeof words]}`),
  ];
}

/**
 * Invariant: the books keep every row and every id, so that they verify as before (D-435). What only the person needed is
 * deleted, in one transaction with the entry of the audit log, which names the id alone.
 */
async function erase(db: Database, { user_id }: Person): Promise<void> {
  const clock = await measuredClock(db);
  const ids = systemIds();
  const password_hash = await hashPassword(ids.secret(24));
  const done = await db.transaction(async (tx) => {
    // What a payment locks, in its order (D-613).
    await lockPersonToErase(tx, user_id);
    await lockWallet(tx, user_id);
    const person = await selectPerson(tx, user_id);
    if (person === null) throw new CommandError('There is no such person.');
    const open = openOf(person, await selectOpen(tx, user_id));
    if (open.length > 0) throw new CommandError(`Nothing was erased. The person has ${open.join('; ')}.`);
    // Before their tokens, so that a token that is being stored is deleted too.
    await deleteTokensOf(tx, user_id);
    let deleted = 0;
    for (const [table, { stays, people }] of Object.entries(retention)) {
      if (stays === 'forever' || stays === 'archived' || people === undefined) continue;
      deleted += await deleteNaming(tx, table, people, person);
    }
    const changed = await anonymise(tx, person, password_hash, clock.now());
    if (!changed && deleted === 0) return false;
    const target = `user:${user_id}`;
    await recordAct(tx, { clock, ids }, { actor: 'command', action: 'user.erase', target });
    await announceChange(tx);
    return true;
  });
  console.log(
    done ? `The person ${user_id} was erased.` : `The person ${user_id} was erased before; nothing was left.`,
  );
}
