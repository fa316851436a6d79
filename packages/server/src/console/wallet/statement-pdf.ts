/** A statement as PDF, in the language and direction of the person who reads it. */
import { setTimeout as pause } from 'node:timers/promises';
import { directionOf, type Locale } from '@paydesk/checkout';
import { type LedgerKey, ledgerTexts } from '@paydesk/checkout/ledger-texts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import {
  type Face,
  type Pdf,
  pdfDocument,
  pointsOnOneLine,
  setText,
  textHeight,
} from '../../base/pdf/index.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { periodIn } from './period.ts';
import type { Statement, StatementLine, Sums } from './statement.ts';
import { wordsIn } from './wallet-line.ts';

/** The recipient of the statement, its language, and who made it. */
export interface Heading {
  platform: string;
  merchant: string;
  merchant_no: string;
  locale: Locale;
}

const margin = 40;
const pageWidth = 595;
const size = 8;
/** Between two rows. */
const gap = 5;
/** From the edge at which the language begins. */
const columns = [
  { title: 'statement_time', x: 40, width: 80 },
  { title: 'statement_entry', x: 126, width: 142 },
  { title: 'statement_about', x: 273, width: 83 },
  { title: 'statement_change', x: 361, width: 95 },
  { title: 'statement_balance', x: 460, width: 95 },
] as const;

/** The statement as a stream of bytes. An error while lines are read ends the stream with it. */
export const statementPdf = (statement: Statement, heading: Heading): Pdf =>
  pdfDocument(
    {
      title: titleOf(statement, heading),
      author: heading.platform,
      margin,
    },
    (doc) => write(doc, statement, heading),
  );

type Values = Readonly<Record<string, string>>;

/** A text with its placeholders filled in. */
const said = (locale: Locale, key: LedgerKey, values: Values = {}): string =>
  ledgerTexts[locale][key].replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');

/** The statement of which month, day or week (D-554). */
const titleOf = ({ period }: Statement, { locale }: Heading): string =>
  said(locale, 'statement_title', { period: periodIn(locale, period.name) });

async function write(doc: Pdf, statement: Statement, heading: Heading): Promise<void> {
  const { period, opening } = statement;
  const { locale } = heading;
  const t = (key: LedgerKey, values?: Values): string => said(locale, key, values);
  const end = directionOf(locale) === 'rtl';
  const say = (face: Face, points: number, text: string): void => {
    setText(doc, text, { face, points, x: margin, width: pageWidth - 2 * margin, end });
  };
  say('bold', 15, titleOf(statement, heading));
  say('plain', 10, `${heading.merchant} · ${heading.merchant_no}`);
  const minute = (at: Date): string => `${rfc3339(at).slice(0, 16).replace('T', ' ')} UTC`;
  const span = { from: minute(period.from), to: minute(period.to) };
  const spanText = t(period.complete ? 'statement_span' : 'statement_so_far', span);
  say('plain', size, spanText);
  say('plain', size, heading.platform);
  doc.y += 12;
  const foot = footOn(doc, [titleOf(statement, heading), heading.merchant_no], end);
  const table = tableOn(doc, locale, foot);
  const amounts = amountsIn(locale);
  table.row({ texts: ['', t('statement_opening'), '', '', amounts.ptk(opening)], face: 'bold' });
  for await (const lines of statement.lines) {
    for (const line of lines) table.row({ texts: cellsOf(line, locale, amounts) });
    await taken(doc);
    // The reader has gone: no further line is read.
    if (doc.destroyed) return;
  }
  writeSums(doc, table, statement.sums(), { t, ...amounts });
  foot();
}

/** Writes the foot of a page: what it belongs to, and its number (D-1455). */
function footOn(doc: Pdf, of: readonly string[], rtl: boolean): () => void {
  let page = 0;
  const say = (text: string, end: boolean): void => {
    doc.y = doc.page.height - margin + gap;
    setText(doc, text, { points: size, x: margin, width: pageWidth - 2 * margin, end });
  };
  return () => {
    page += 1;
    const { margins } = doc.page;
    // The foot is below the last line, where a text would otherwise begin another page.
    margins.bottom = 0;
    say(of.join(' · '), rtl);
    say(String(page), !rtl);
    margins.bottom = margin;
  };
}

/**
 * The balance at the end, what the net is made of, and the accounts. None of these tables is broken between two pages
 * (D-441).
 */
function writeSums(
  doc: Pdf,
  table: Table,
  sums: Sums,
  { t, ptk, signed }: Amounts & { t: (key: LedgerKey, values?: Values) => string },
): void {
  const { incoming, outgoing, closing, parts, accounts, lines } = sums;
  const net = signed(incoming - outgoing);
  table.together([
    { texts: ['', t('statement_closing'), '', '', ptk(closing)], face: 'bold' },
    { texts: ['', t('statement_in'), '', signed(incoming), ''] },
    { texts: ['', t('statement_out'), '', signed(-outgoing), ''] },
    { texts: ['', t('statement_net', { count: String(lines) }), '', net, ''], face: 'bold' },
  ]);
  doc.y += 12;
  if (parts.length > 0) {
    table.together([
      { texts: ['', t('statement_net_parts'), '', t('statement_change'), ''], face: 'bold' },
      ...parts.map(({ part, change }) => ({
        texts: ['', t(`statement_part_${part}`), '', signed(change), ''],
      })),
    ]);
    doc.y += 12;
  }
  const [before, change, after] = [
    t('statement_account_opening'),
    t('statement_account_change'),
    t('statement_account_closing'),
  ];
  table.together([
    { texts: ['', t('statement_account'), before, change, after], face: 'bold', amounts: 3 },
    ...accounts.map((one) => {
      const moved = signed(one.closing - one.opening);
      const texts = ['', t(`statement_${one.account}`), ptk(one.opening), moved, ptk(one.closing)];
      return { texts, amounts: 3 };
    }),
  ]);
}

/** Bytes that may wait for the reader. */
const most_waiting = 1_000_000;

/** Lets other requests have their turn, and waits while the reader is slow: a long month does not fill the memory. */
async function taken(doc: Pdf): Promise<void> {
  do await pause(doc.readableLength > most_waiting ? 50 : 0);
  while (!doc.destroyed && doc.readableLength > most_waiting);
}

/**
 * Amounts as the language groups and divides their digits, which are Western in every language. Statements show every
 * decimal, so that they can be added up by hand. A true minus is as wide as a plus.
 */
function amountsIn(locale: Locale) {
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`);
  const point = format.formatToParts(0.1).find(({ type }) => type === 'decimal')?.value ?? '.';
  const ptk = (units: bigint): string => {
    const [whole = '', decimals = ''] = formatMinor(units < 0n ? -units : units, ptkDecimals).split('.');
    return `${units < 0n ? minus : ''}${format.format(BigInt(whole))}${point}${decimals}`;
  };
  return {
    ptk,
    signed: (units: bigint): string => `${units > 0n ? '+' : ''}${ptk(units)}`,
    trimmed: (units: bigint): string => ptk(units).replace(/0{1,6}$/, ''),
  };
}
const minus = '−';

type Amounts = ReturnType<typeof amountsIn>;

/**
 * Money that moves between the merchant's own accounts changes nothing, so its amount stands with the words. Money that is
 * taken says why: a refund and a chargeback take it from the same accounts.
 */
function cellsOf({ line, change, balance }: StatementLine, locale: Locale, amounts: Amounts): string[] {
  const { what, why } = wordsIn(locale, line);
  const { ptk, signed, trimmed } = amounts;
  const more = change === 0n ? `: ${trimmed(BigInt(line.amount_ptk))}` : change < 0n ? ` · ${why}` : '';
  const entry = `${what}${more}`;
  return [
    line.at.slice(0, 19).replace('T', ' '),
    line.test_mode ? said(locale, 'statement_test', { entry }) : entry,
    line.subject,
    signed(change),
    ptk(balance),
  ];
}

const ink = '#000000';

/** An amount with a sign has a colour too; both are dark enough for paper. */
const colourOf = (text: string): string =>
  /^\+\d/.test(text) ? '#0b6b35' : /^−\d/.test(text) ? '#a61b1b' : ink;

interface Row {
  texts: readonly string[];
  face?: Face;
  /** How many of the last cells are amounts: they are at the right of their column in every language. */
  amounts?: number;
}

type Table = ReturnType<typeof tableOn>;

/** The table: rows continue on further pages, each with the titles of the columns. */
function tableOn(doc: Pdf, locale: Locale, foot: () => void) {
  const rtl = directionOf(locale) === 'rtl';
  const titles: Row = { texts: columns.map(({ title }) => said(locale, title)), face: 'bold' };
  const cellsOfRow = ({ texts, face = 'plain', amounts = 2 }: Row) =>
    columns.flatMap(({ x, width }, i) => {
      const text = texts[i] ?? '';
      if (text === '') return [];
      const isAmount = i >= columns.length - amounts;
      const at = rtl ? pageWidth - x - width : x;
      const colour = isAmount ? colourOf(text) : ink;
      const cell = { text, face, points: size, x: at, width, end: isAmount || rtl, colour };
      // An amount whose last digit stood on another line would be read wrongly (D-1455).
      return [isAmount && /\d/.test(text) ? { ...cell, points: pointsOnOneLine(doc, text, cell) } : cell];
    });
  type Cells = ReturnType<typeof cellsOfRow>;
  const heightOf = (cells: Cells): number =>
    Math.max(...cells.map(({ text, ...setting }) => textHeight(doc, text, setting)));
  const isFull = (height: number): boolean => doc.y + height > doc.page.height - margin;
  const set = (cells: Cells, height: number): void => {
    const { y } = doc;
    for (const { text, ...setting } of cells) {
      doc.y = y;
      setText(doc, text, setting);
    }
    doc.y = y + height + gap;
  };
  const turn = (): void => {
    foot();
    doc.addPage();
  };
  const row = (of: Row): void => {
    const cells = cellsOfRow(of);
    const height = heightOf(cells);
    if (isFull(height)) {
      turn();
      row(titles);
    }
    set(cells, height);
  };
  /** A separate table, or the end of one: on one page, without the titles of the lines. */
  const together = (rows: readonly Row[]): void => {
    const all = rows.map(cellsOfRow).map((cells) => ({ cells, height: heightOf(cells) }));
    if (isFull(all.reduce((sum, { height }) => sum + height + gap, -gap))) turn();
    for (const { cells, height } of all) set(cells, height);
  };
  row(titles);
  return { row, together };
}
