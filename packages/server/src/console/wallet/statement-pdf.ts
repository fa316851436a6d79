/** A statement as PDF. */
import { setTimeout as pause } from 'node:timers/promises';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { type Face, type Pdf, pdfDocument, useFont } from '../../base/pdf/index.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Statement, StatementLine } from './statement.ts';

/** Whom the statement is for, and who made it. */
export interface Heading {
  platform: string;
  merchant: string;
  merchant_no: string;
}

const margin = 40;
const size = 8;
const rowHeight = 15;
const columns = [
  { title: 'Time (UTC)', x: 40, width: 95 },
  { title: 'What', x: 138, width: 150 },
  { title: 'About', x: 291, width: 92 },
  { title: 'Change, PTK', x: 385, width: 83, end: true },
  { title: 'Balance, PTK', x: 472, width: 83, end: true },
] as const;

/** The statement as a stream of bytes. An error while lines are read ends the stream with it. */
export const statementPdf = (statement: Statement, heading: Heading): Pdf =>
  pdfDocument({ title: `Statement ${statement.period.name}`, author: heading.platform, margin }, (doc) =>
    write(doc, statement, heading),
  );

async function write(doc: Pdf, statement: Statement, heading: Heading): Promise<void> {
  const { period, opening } = statement;
  say(doc, 'bold', 15, `Statement ${period.name}`);
  say(doc, 'plain', 10, `${heading.merchant} · ${heading.merchant_no}`);
  const span = `${rfc3339(period.from)} to ${rfc3339(period.to)}${period.complete ? '' : ', so far'}`;
  say(doc, 'plain', size, `${heading.platform} · ${span}`);
  doc.moveDown();
  const table = tableOn(doc);
  table.row(['', 'Opening balance', '', '', ptk(opening)], 'bold');
  for await (const lines of statement.lines) {
    for (const line of lines) table.row(cellsOf(line));
    await taken(doc);
    // The reader has gone: no further line is read.
    if (doc.destroyed) return;
  }
  const { incoming, outgoing, closing, accounts, lines } = statement.sums();
  table.row(['', 'Closing balance', '', '', ptk(closing)], 'bold');
  table.row(['', 'In', '', signed(incoming), '']);
  table.row(['', 'Out', '', signed(-outgoing), '']);
  table.row(['', `Net of the ${lines} lines`, '', signed(incoming - outgoing), ''], 'bold');
  table.row(['', '', '', '', '']);
  table.row(['', 'Account', 'Opening', 'Change', 'Closing'], 'bold');
  for (const { account, opening: before, closing: after } of accounts) {
    table.row(['', nameOf(account), ptk(before), signed(after - before), ptk(after)]);
  }
}

/** Bytes that may wait for the reader. */
const most_waiting = 1_000_000;

/** Lets other requests have their turn, and waits while the reader is slow: a long month does not fill the memory. */
async function taken(doc: Pdf): Promise<void> {
  do await pause(doc.readableLength > most_waiting ? 50 : 0);
  while (!doc.destroyed && doc.readableLength > most_waiting);
}

/** Statements show every decimal, so that they can be added up by hand. A true minus is as wide as a plus. */
const ptk = (units: bigint): string => formatMinor(units, ptkDecimals).replace('-', minus);
const signed = (units: bigint): string => `${units > 0n ? '+' : ''}${ptk(units)}`;
const trimmed = (units: bigint): string => ptk(units).replace(/0{1,6}$/, '');
const minus = '−';

const names: Readonly<Record<string, string>> = {
  fee_reserved: 'Set aside for fees',
  withdrawal_pending: 'Being withdrawn',
  credit_drawn: 'Credit drawn',
  recovery: 'Owed from losses',
};
const nameOf = (account: string): string =>
  names[account] ?? account.charAt(0).toUpperCase() + account.slice(1);

/** Money that moves between the merchant's own accounts changes nothing, so its amount stands with the words. */
const cellsOf = ({ line, change, balance }: StatementLine): string[] => [
  line.at.slice(0, 19).replace('T', ' '),
  `${line.test_mode ? 'Test: ' : ''}${line.what}${change === 0n ? `: ${trimmed(BigInt(line.amount_ptk))}` : ''}`,
  line.subject,
  signed(change),
  ptk(balance),
];

/** One line of text in the font that has its characters. */
function say(doc: Pdf, font: Face, points: number, text: string): void {
  useFont(doc, font, text);
  doc.fontSize(points).text(text);
}

const ink = '#000000';

/** An amount with a sign has a colour too; both are dark enough for paper. */
const colourOf = (text: string): string =>
  /^\+\d/.test(text) ? '#0b6b35' : /^−\d/.test(text) ? '#a61b1b' : ink;

/** The table: rows go on on further pages, each with the titles of the columns. */
function tableOn(doc: Pdf) {
  const titles = (): void => {
    cells(
      doc,
      columns.map(({ title }) => title),
      'bold',
    );
  };
  titles();
  return {
    row(texts: readonly string[], font: Face = 'plain'): void {
      if (doc.y + rowHeight > doc.page.height - margin) {
        doc.addPage();
        titles();
      }
      cells(doc, texts, font);
    },
  };
}

function cells(doc: Pdf, texts: readonly string[], font: Face): void {
  const { y } = doc;
  for (const [i, { x, width, ...column }] of columns.entries()) {
    const text = texts[i] ?? '';
    if (text === '') continue;
    useFont(doc, font, text);
    doc.fontSize(size);
    const align = 'end' in column ? 'right' : 'left';
    doc.fillColor('end' in column ? colourOf(text) : ink);
    doc.text(text, x, y, { width, height: rowHeight, align, lineBreak: false, ellipsis: true });
  }
  doc.fillColor(ink);
  doc.y = y + rowHeight;
}
