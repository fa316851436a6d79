/** A monthly statement as PDF. Texts of any script are set: what the first font lacks, a font of all of Unicode has. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Statement, StatementLine } from './statement.ts';
import { unpackWoff } from './woff.ts';

const { resolve } = createRequire(import.meta.url);
const fonts = {
  plain: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
} as const;

/** Read at the first text that needs it. It is unpacked once: a packed table would be unpacked for each character. */
let everyCharacter: Buffer | undefined;
const fontOfEverything = (): Buffer =>
  (everyCharacter ??= unpackWoff(
    readFileSync(resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')),
  ));

/** Whom the statement is for, and who made it. */
export interface Heading {
  platform: string;
  merchant: string;
  merchant_no: string;
}

type Doc = PDFKit.PDFDocument;

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
export function statementPdf(statement: Statement, heading: Heading): Doc {
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: `Statement ${statement.month.month}`, Author: heading.platform },
  });
  for (const [name, file] of Object.entries(fonts)) doc.registerFont(name, resolve(file));
  write(doc, statement, heading).then(
    () => {
      doc.end();
    },
    (error: unknown) => {
      doc.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return doc;
}

async function write(doc: Doc, statement: Statement, heading: Heading): Promise<void> {
  const { month, opening } = statement;
  say(doc, 'bold', 15, `Statement ${month.month}`);
  say(doc, 'plain', 10, `${heading.merchant} · ${heading.merchant_no}`);
  const period = `${rfc3339(month.from)} to ${rfc3339(month.to)}${month.complete ? '' : ', the month so far'}`;
  say(doc, 'plain', size, `${heading.platform} · ${period}`);
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
  table.row(['', `In, of ${lines} lines`, '', ptk(incoming), '']);
  table.row(['', 'Out', '', ptk(-outgoing), '']);
  table.row(['', '', '', '', '']);
  table.row(['', 'Account', 'Opening', 'Change', 'Closing'], 'bold');
  for (const { account, opening: before, closing: after } of accounts) {
    table.row(['', words(account), ptk(before), ptk(after - before), ptk(after)]);
  }
}

/** Bytes that may wait for the reader. */
const most_waiting = 1_000_000;

/** Lets other requests have their turn, and waits while the reader is slow: a long month does not fill the memory. */
async function taken(doc: Doc): Promise<void> {
  do await pause(doc.readableLength > most_waiting ? 50 : 0);
  while (!doc.destroyed && doc.readableLength > most_waiting);
}

const ptk = (units: bigint): string => formatMinor(units, ptkDecimals);

const words = (name: string): string => {
  const plain = name.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
};

const cellsOf = ({ line, change, balance }: StatementLine): string[] => [
  line.at.slice(0, 19).replace('T', ' '),
  `${line.what}${line.test_mode ? ' (test)' : ''}`,
  line.subject,
  ptk(change),
  ptk(balance),
];

/** One line of text in the font that has its characters. */
function say(doc: Doc, font: 'plain' | 'bold', points: number, text: string): void {
  useFont(doc, font, text);
  doc.fontSize(points).text(text);
}

/** Uses a font, or the one with every character where it lacks one of the text. */
function useFont(doc: Doc, font: 'plain' | 'bold', text: string): void {
  doc.font(font);
  const { font: inside } = (
    doc as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } }
  )._font;
  const isThere = Array.from(text).every((char) => inside.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));
  if (!isThere) doc.registerFont('any', fontOfEverything()).font('any');
}

/** The table: rows go on on further pages, each with the titles of the columns. */
function tableOn(doc: Doc) {
  const titles = (): void => {
    cells(
      doc,
      columns.map(({ title }) => title),
      'bold',
    );
  };
  titles();
  return {
    row(texts: readonly string[], font: 'plain' | 'bold' = 'plain'): void {
      if (doc.y + rowHeight > doc.page.height - margin) {
        doc.addPage();
        titles();
      }
      cells(doc, texts, font);
    },
  };
}

function cells(doc: Doc, texts: readonly string[], font: 'plain' | 'bold'): void {
  const { y } = doc;
  for (const [i, { x, width, ...column }] of columns.entries()) {
    const text = texts[i] ?? '';
    if (text === '') continue;
    useFont(doc, font, text);
    doc.fontSize(size);
    const align = 'end' in column ? 'right' : 'left';
    doc.text(text, x, y, { width, height: rowHeight, align, lineBreak: false, ellipsis: true });
  }
  doc.y = y + rowHeight;
}
