import { type Database, sql, type Write } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { ptk } from '../../../src/base/money.ts';
import {
  exchange,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantRecovery,
} from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import type { Json, TestService } from './service.ts';

/** Runs something on the database of a service, beside it. */
export const beside = <T>({ db }: Pick<TestService, 'db'>, work: (db: Database) => Promise<T>): Promise<T> =>
  work(db);

/** A merchant's wallet, without zero balances. */
export async function walletOf(service: TestService, merchant_no: string): Promise<Json> {
  const wallet = await service.admin('GET', `/merchants/${merchant_no}/wallet`);
  return Object.fromEntries(Object.entries(wallet).filter(([, amount]) => amount !== '0'));
}

/** The transfers on a subject: posting, accounts, amount and currency. */
export function transfersOn(service: TestService, subject: string): Promise<Json[]> {
  return beside(service, (db) =>
    db.query(sql`SELECT posting || ' ' || debit_account || ' > ' || credit_account || ' ' || amount || ' ' || currency
        AS line, test_mode FROM ledger_transfers WHERE subject = ${subject} ORDER BY at, posting, leg`),
  );
}

/** The same as lines alone. */
export async function linesOn(service: TestService, subject: string): Promise<unknown[]> {
  return (await transfersOn(service, subject)).map(({ line }) => line);
}

/** The entries of the audit log on a target under an action, newest first. */
export async function auditOn(service: TestService, target: string, action: string): Promise<Json[]> {
  const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100');
  return items.filter((item) => item.target === target && item.action === action);
}

interface Debts {
  recovery?: bigint;
  credit?: bigint;
}

/** Makes a merchant owe money, as a loss or late fees would: recovery, or credit drawn. */
export async function makeOwe(service: TestService, merchant_no: string, debts: Debts): Promise<void> {
  await beside(service, (db) => db.transaction((tx) => tx.write(owing(merchant_no, debts))));
}

/** The writes of that operation. */
export function owing(merchant_no: string, { recovery = 0n, credit = 0n }: Debts): Write[] {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw new Error(`no merchant number: ${merchant_no}`);
  const transfers = [
    transfer(merchantRecovery(), exchange(ptk), recovery),
    transfer(merchantCreditDrawn(), merchantFeeIncome(), credit),
  ];
  const subject = `made-to-owe:${merchant_no}`;
  return post([{ merchant_id, subject, posting: 'P3', transfers }], new Date('2026-01-01T00:00:00Z')).book;
}
