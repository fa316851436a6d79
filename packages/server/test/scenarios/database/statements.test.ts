import { StatementMonths } from '@paydesk/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addMerchant,
  type Merchant,
  merchantOf,
  onePtk,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let other: Console;

type Row = Record<string, string>;

/** PTK as its smallest unit. */
const units = (decimal = ''): bigint => BigInt(decimal.replace('.', '') || '0');
const sum = (values: readonly bigint[]): bigint => values.reduce((all, one) => all + one, 0n);

beforeAll(async () => {
  service = await startTestService();
  await service.advanceToNoon();
  platform = await setUpPlatform(service);
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 5 });
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'Another shop' });
  other = await consoleOf(service, platform.buyer, merchant_no);
});

afterAll(() => service.stop());

/** Sales, a refund, a complaint that is lost, a guarantee, a top-up, a withdrawal: something of everything. */
async function business(round: number): Promise<void> {
  const at = `/merchants/${platform.merchant_no}`;
  const buyer = await signIn(service, platform.buyer);
  const pay = async (amount: string) => {
    const order = await merchant.order({ amount });
    await payWithPtk(service, order, buyer);
    return order;
  };
  const reason = 'as agreed';
  await pay('3.33');
  const [refunded, disputed] = [await pay('2.50'), await pay('1.20')];
  await service.admin('POST', `/collection-orders/${refunded.order_no}/refunds`, { reason });
  const { complaint_id } = await service.admin<{ complaint_id: string }>(
    'POST',
    `/collection-orders/${disputed.order_no}/complaints`,
    { reason },
  );
  await service.admin('POST', `/complaints/${complaint_id}/decision`, { decision: 'confirm', reason });
  await service.admin('POST', `${at}/ptk-top-ups`, {
    amount_ptk: String(50n * onePtk + 1n),
    reference: `top-up-${round}`,
    reason,
  });
  await service.admin('POST', `${at}/guarantee-deposits`, {
    ...{ amount_ptk: String(7n * onePtk), reference: `deposit-${round}`, source: 'available' },
  });
  const { withdrawal_id } = await service.admin<{ withdrawal_id: string }>('POST', '/withdrawals', {
    ...{ merchant_no: platform.merchant_no, amount_ptk: String(3n * onePtk), reference: `payout-${round}` },
    ...{ payout_currency: 'USD', payout_amount: '0.30' },
  });
  await service.admin('POST', `/withdrawals/${withdrawal_id}/decision`, {
    decision: round % 2 === 0 ? 'paid' : 'reject',
    reason,
  });
}

async function statement(month: string): Promise<Row[]> {
  const answer = await desk.get<string>(`/statements/${month}/statement.csv`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(answer.text, { bom: true, columns: true });
}

const of = (rows: readonly Row[], kind: string): Row[] => rows.filter(({ row }) => row === kind);

describe('D-225 monthly statements', () => {
  test('opening balance, every line and closing balance add up, month after month, to the wallet', async () => {
    for (let round = 0; round < 4; round++) {
      await business(round);
      await service.advance(13 * 86_400);
    }
    await service.advance(60);
    // No hold is released between what is read here.
    await service.admin('POST', '/jobs/release-holds/run');
    const list = await desk.get<{ items: { month: string; complete: boolean }[] }>('/statements');
    expectAnswer(list, 200, StatementMonths);
    const months = list.body.items.map(({ month }) => month).toReversed();
    expect(months.length).toBeGreaterThanOrEqual(2);
    let balance = 0n;
    const before: Record<string, bigint> = {};
    let lines = 0;
    const words: Row = {};
    for (const month of months) {
      const rows = await statement(month);
      const [opening] = of(rows, 'opening');
      const [closing] = of(rows, 'closing');
      expect(units(opening?.balance)).toBe(balance);
      for (const line of of(rows, 'line')) {
        balance += units(line.change);
        expect(units(line.balance)).toBe(balance);
        expect(line.at?.startsWith(month)).toBe(true);
        lines++;
      }
      expect(units(closing?.balance)).toBe(balance);
      const moved = sum(of(rows, 'line').map(({ change }) => units(change)));
      const [incoming, outgoing] = [of(rows, 'incoming')[0], of(rows, 'outgoing')[0]];
      expect(units(incoming?.change) + units(outgoing?.change)).toBe(moved);
      expect(units(of(rows, 'net')[0]?.change)).toBe(moved);
      // D-441: the parts of the net, each in words and with its code.
      const parts = of(rows, 'part');
      expect(sum(parts.map(({ change }) => units(change)))).toBe(moved);
      for (const { what = '', what_code = '' } of parts) words[what_code] = what;
      for (const { account = '', change, balance: now } of of(rows, 'account')) {
        expect(units(now)).toBe((before[account] ?? 0n) + units(change));
        before[account] = units(now);
      }
      expect(sum(of(rows, 'account').map((row) => units(row.balance)))).toBe(balance);
    }
    expect(lines).toBeGreaterThan(30);
    expect(words).toMatchObject({ orders: 'From orders, after fees', returns: 'Refunds and disputes' });
    const { body: wallet } = await desk.get('/wallet');
    const debts = ['credit_drawn', 'recovery'];
    const told = Object.entries(before).map(([account, units_now]) => [
      account,
      debts.includes(account) ? -units_now : units_now,
    ]);
    const known = told.map(([account]) => [account, BigInt(String(wallet[`${String(account)}_ptk`]))]);
    expect(told).toEqual(known);
  });

  test('D-495 the words of the files are in the language that is asked for, columns and codes in none', async () => {
    // The running month ends at the time of each reading.
    const { items } = (await desk.get<{ items: { month: string; complete: boolean }[] }>('/statements')).body;
    const month = items.find(({ complete }) => complete)?.month ?? '';
    const read = async (path: string): Promise<Row[]> =>
      parse((await desk.get<string>(path)).text, { bom: true, columns: true });
    const wordless = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row, what: '', why: '' }));
    for (const file of [`/statements/${month}/statement.csv`, '/wallet/statement.csv']) {
      const [english, german] = [await read(file), await read(`${file}?language=de`)];
      expect(wordless(german)).toEqual(wordless(english));
      const words = (rows: readonly Row[]) => rows.find(({ what_code }) => what_code === 'net_held');
      expect(words(english)).toMatchObject({ posting: 'P2', what: 'Net proceeds, under hold' });
      expect(words(german)).toMatchObject({
        ...{ posting: 'P2', what: 'Nettoerlös, einbehalten', why: 'Der Käufer hat mit PTK bezahlt.' },
      });
    }
    const refused = await desk.get('/wallet/statement?language=tlh');
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: 'invalid_request', field: 'language' },
    ]);
    const pdf = await desk.get<string>(`/statements/${month}/statement.pdf?language=ar`);
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await desk.get(`/statements/${month}/statement.pdf?language=tlh`)).status).toBe(400);
  });

  test('D-380 the statements of the days of a week, in a zone, are together that of the week', async () => {
    const zone = '?time_zone=America%2FNew_York';
    const read = async (period: string): Promise<Row[]> => {
      const answer = await desk.get<string>(`/statements/${period}/statement.csv${zone}`);
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="statement-${period}.csv"`,
      ]);
      return parse(answer.text, { bom: true, columns: true });
    };
    const all = await desk.get<string>('/wallet/statement.csv');
    const lines: Row[] = parse(all.text, { bom: true, columns: true });
    // The day of a line in New York: four or five hours after UTC's.
    const first = new Date(Date.parse(lines.at(-1)?.at ?? '') - 5 * 3_600_000);
    const monday = new Date(first.getTime() - ((first.getUTCDay() + 6) % 7) * 86_400_000);
    const days = Array.from({ length: 7 }, (_, day) =>
      new Date(monday.getTime() + day * 86_400_000).toISOString().slice(0, 10),
    );
    const thursday = new Date(monday.getTime() + 3 * 86_400_000);
    const year = thursday.getUTCFullYear();
    const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) + 1;
    const week = await read(`${year}-W${String(number).padStart(2, '0')}`);
    const byDay: Row[][] = [];
    for (const day of days) byDay.push(await read(day));
    expect(of(week, 'line').length).toBeGreaterThan(0);
    expect(byDay.flatMap((rows) => of(rows, 'line'))).toEqual(of(week, 'line'));
    expect(of(byDay[0] ?? [], 'opening')).toEqual(of(week, 'opening'));
    expect(of(byDay[6] ?? [], 'closing')).toEqual(of(week, 'closing'));
    expect(of(byDay[0] ?? [], 'closing')).toMatchObject([
      { balance: of(byDay[1] ?? [], 'opening')[0]?.balance },
    ]);
    expect((await desk.get('/statements/2026-10/statement.csv?time_zone=Mars')).body).toMatchObject({
      error: 'invalid_request',
      field: 'time_zone',
    });
  });

  test('a statement is a PDF too, also for a merchant whose name needs other fonts', async () => {
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { name: '书店 Książki كتب' });
    const { body } = await desk.get<{ items: { month: string }[] }>('/statements');
    const months = body.items.map(({ month }) => month);
    for (const month of months) {
      const answer = await desk.get<string>(`/statements/${month}/statement.pdf`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(answer.text.startsWith('%PDF-')).toBe(true);
      expect(answer.text.trimEnd().endsWith('%%EOF')).toBe(true);
    }
  });

  test('there is no statement of a future month or of another merchant', async () => {
    for (const month of ['2999-01', '2026-13', '0', '2026-1', 'x']) {
      expect((await desk.get(`/statements/${month}/statement.csv`)).body).toMatchObject({
        error: 'not_found',
      });
    }
    const { body } = await other.get<{ items: Json[] }>('/statements');
    const [newest] = body.items;
    const mine = await other.get<string>(`/statements/${String(newest?.month)}/statement.csv`);
    const rows: Row[] = parse(mine.text, { bom: true, columns: true });
    expect(of(rows, 'line')).toEqual([]);
    expect(of(rows, 'closing')).toMatchObject([{ balance: '0.00000000' }]);
  });
});
