import { type Locale, localeTags } from '@paydesk/checkout';
import { ledgerTexts } from '@paydesk/checkout/ledger-texts';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { order_no } from '../../../test/support/desks/samples.ts';
import { monthsSince, periodIn, periodOf } from './period.ts';
import type { Statement, StatementLine } from './statement.ts';
import { statementPdf } from './statement-pdf.ts';

const now = new Date('2026-11-05T12:00:00Z');

const line = {
  line: {
    ...{
      line_id: 'P1.x.1',
      at: '2026-10-02T09:30:00.000Z',
      posting: 'P1',
      about: 'order',
      subject: '注文 7',
    },
    ...{ from: null, to: 'held', amount_ptk: '100', why: '', what: 'Net proceeds', test_mode: true },
  },
  change: 100n,
  balance: 100n,
} as StatementLine;

function statementOf(lines: AsyncIterable<readonly StatementLine[]>): Statement {
  const parts = [{ part: 'tests' as const, change: 100n }];
  const sums = { opening: 0n, incoming: 100n, outgoing: 0n, closing: 100n, lines: 1, parts };
  return {
    period: periodOf('2026-10', now),
    opening: 0n,
    lines,
    sums: () => ({ ...sums, accounts: [{ account: 'held', opening: 0n, closing: 100n }] }),
  };
}

const heading = {
  ...{ platform: 'Paydesk', merchant: '书店 Książki كتب हिन्दी', merchant_no: 'mr_1' },
  locale: 'en' as const,
};

// oxlint-disable-next-line typescript/require-await
async function* many(count: number): AsyncGenerator<StatementLine[]> {
  yield Array.from({ length: count }, () => line);
}

test('D-225 a PDF has as many pages as its lines need, in any script', async () => {
  const parts: Buffer[] = [];
  for await (const part of statementPdf(statementOf(many(120)), heading)) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('latin1');
  expect(text.startsWith('%PDF-')).toBe(true);
  expect(text.match(/\/Type \/Page\n/g)).toHaveLength(3);
  expect(text).toContain('Unifont');
});

test('D-1455 each page of a PDF says what it belongs to, and its number', async () => {
  for (const [count, pages] of [
    [0, ['1']],
    [120, ['1', '2', '3']],
  ] as const) {
    const set = textsOf(await placed(many(count)));
    expect(set.filter((text) => /^\d+$/.test(text))).toEqual(pages);
    expect(set.filter((text) => text === 'Statement October 2026 · mr_1')).toHaveLength(pages.length);
  }
});

test('D-1455 no digit of a large amount stands on another line', async () => {
  // oxlint-disable-next-line typescript/require-await
  async function* large(): AsyncGenerator<StatementLine[]> {
    yield [{ ...line, change: -123_456_789_012_345_678n }];
  }
  const doc = statementPdf(statementOf(large()), heading);
  const heights: number[] = [];
  const text = doc.text.bind(doc);
  doc.text = (said: string, ...at: never[]) => {
    const [, y = 0] = at as number[];
    const done = text(said, ...at);
    if (said.startsWith('−1,234,567,890')) heights.push(doc.y - y);
    return done;
  };
  await finished(doc.resume());
  expect(heights.map((height) => height < 12)).toEqual([true]);
});

test.each(localeTags)(
  'D-495 a PDF in %s has its whole texts: none is cut, and none left out',
  async (locale) => {
    const set: string[] = [];
    const long = {
      ...line,
      line: { ...line.line, posting: 'P7', what_code: 'loss_from_frozen', subject: order_no },
    };
    // oxlint-disable-next-line typescript/require-await
    async function* one(): AsyncGenerator<StatementLine[]> {
      yield [long as StatementLine];
    }
    const doc = statementPdf(statementOf(one()), { ...heading, locale });
    const text = doc.text.bind(doc);
    doc.text = (said: string, ...at: never[]) => {
      set.push(said);
      return text(said, ...at);
    };
    await finished(doc.resume());
    const texts = ledgerTexts[locale];
    if (locale === 'ar') {
      expect(set.some((said) => /\p{Script=Arabic}/u.test(said))).toBe(true);
      expect(set).not.toContain(ledgerTexts.en.statement_closing);
      return;
    }
    expect(set).toContain(texts.statement_test.replace('{entry}', texts.loss_from_frozen));
    expect(set).toEqual(expect.arrayContaining([texts.statement_closing, texts.statement_held, order_no]));
  },
);

test('D-225 the amounts of a PDF are below each other, in the lines and by account', async () => {
  const doc = statementPdf(statementOf(many(1)), heading);
  const ends: Record<string, unknown> = {};
  const text = doc.text.bind(doc);
  doc.text = ((said: string, x: number, y: number, setting: PDFKit.Mixins.TextOptions) => {
    ends[said] = setting.align;
    return text(said, x, y, setting);
  }) as typeof doc.text;
  await finished(doc.resume());
  const { statement_account, statement_account_opening, statement_account_change } = ledgerTexts.en;
  expect(ends).toMatchObject({
    [statement_account]: 'left',
    [statement_account_opening]: 'right',
    [statement_account_change]: 'right',
    '0.00000000': 'right',
    '0.00000100': 'right',
    '+0.00000100': 'right',
  });
});

test.each([
  ['en', 'Statement October 2026', '+1,234,567.00000100', '1,234,567.00000100'],
  ['de', 'Kontoauszug Oktober 2026', '+1.234.567,00000100', '1.234.567,00000100'],
  ['ja', '明細書 2026年10月', '+1,234,567.00000100', '1,234,567.00000100'],
] as const)('D-554 a PDF in %s names its month, and groups the digits', async (locale, title, ...amounts) => {
  const much = 123_456_700_000_100n;
  // oxlint-disable-next-line typescript/require-await
  async function* one(): AsyncGenerator<StatementLine[]> {
    yield [{ ...line, change: much, balance: much }];
  }
  const set = await placed(one(), locale);
  expect(textsOf(set)).toEqual(expect.arrayContaining(amounts));
  const doc = statementPdf(statementOf(many(1)), { ...heading, locale });
  await finished(doc.resume());
  expect(doc.info.Title).toBe(title);
});

test('D-441 a PDF says what its net is made of, tests apart, and why money was taken', async () => {
  const taken = { posting: 'P7', what_code: 'loss_from_available', test_mode: false } as const;
  // oxlint-disable-next-line typescript/require-await
  async function* lines(): AsyncGenerator<StatementLine[]> {
    yield [line, { ...line, line: { ...line.line, ...taken }, change: -40n, balance: 60n }];
  }
  const set = textsOf(await placed(lines()));
  const { en } = ledgerTexts;
  expect(set).toContain(`${en.loss_from_available} · ${en.P7}`);
  expect(set.slice(set.indexOf(en.statement_net_parts))).toEqual(
    expect.arrayContaining([en.statement_part_tests, '+0.00000100']),
  );
});

test('D-441 no table below the lines is broken between two pages, or stands under the titles of the lines', async () => {
  const { statement_time, statement_account, statement_held, statement_closing, statement_net } =
    ledgerTexts.en;
  const net = statement_net.replace('{count}', '1');
  const breaks = new Set<string>();
  for (let count = 36; count < 52; count++) {
    const set = await placed(many(count));
    const pageOf = (said: string): number => set.findLast(({ text }) => text === said)?.page ?? -1;
    const [account, held, closing] = [statement_account, statement_held, statement_closing].map(pageOf);
    expect(account).toBe(held);
    expect(closing).toBe(pageOf(net));
    const titles = set.findLastIndex(({ text }) => text === statement_time);
    expect(titles).toBeLessThan(set.findIndex(({ text }) => text === statement_closing));
    breaks.add(`${closing}/${account}`);
  }
  // Among them are statements whose accounts begin a new page.
  expect([...breaks].some((pages) => pages.split('/')[0] !== pages.split('/')[1])).toBe(true);
});

/** The texts of a PDF in the order in which they are set, each with its page. */
async function placed(
  lines: AsyncIterable<readonly StatementLine[]>,
  locale: Locale = 'en',
): Promise<{ text: string; page: number }[]> {
  const doc = statementPdf(statementOf(lines), { ...heading, locale });
  const set: { text: string; page: number }[] = [];
  let page = 1;
  doc.on('pageAdded', () => page++);
  const text = doc.text.bind(doc);
  doc.text = (said: string, ...at: never[]) => {
    set.push({ text: said, page });
    return text(said, ...at);
  };
  await finished(doc.resume());
  return set;
}

const textsOf = (set: readonly { text: string }[]): string[] => set.map(({ text }) => text);

test('D-225 a PDF whose lines cannot be read ends with the error, and is never taken for a whole one', async () => {
  // oxlint-disable-next-line typescript/require-await, require-yield
  async function* broken(): AsyncGenerator<StatementLine[]> {
    throw new Error('the database is gone');
  }
  const read = async (): Promise<void> => {
    for await (const part of statementPdf(statementOf(broken()), heading)) void part;
  };
  await expect(read()).rejects.toThrow('the database is gone');
});

test.each([
  ['en', '2026-10', 'October 2026'],
  ['fr', '2026-10-19', '19 octobre 2026'],
  ['en', '2026-W43', 'October 19 – 25, 2026'],
  ['ar', '2026-10', 'أكتوبر 2026'],
] as const)('D-554 in %s, %s is %s', (locale, name, words) => {
  expect(periodIn(locale, name).replaceAll(/\s/g, ' ')).toBe(words);
});

test('D-225 months are months in UTC, newest first, and the running one ends now', () => {
  const months = monthsSince(new Date('2026-08-31T23:59:59Z'), now);
  expect(months.map(({ name, complete }) => [name, complete])).toEqual([
    ['2026-11', false],
    ['2026-10', true],
    ['2026-09', true],
    ['2026-08', true],
  ]);
  expect(months[0]?.to).toEqual(now);
  expect(months[1]).toMatchObject({ from: new Date('2026-10-01'), to: new Date('2026-11-01') });
  expect(() => periodOf('2026-12', now)).toThrow();
});
