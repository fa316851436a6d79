/** The receipt of a payment as PDF: one page, in the language and direction of the buyer's pages (D-355). */
import { directionOf, type Locale, type ReceiptText } from '@paydesk/checkout';
import { type Pdf, pdfDocument, setText, type Setting } from '../../base/pdf/index.ts';

const margin = 56;
/** Between the edges of A4, in points. */
const width = 595 - 2 * margin;
const labelWidth = 170;
const gap = 14;
const quiet = '#5b6475';
const line = '#d5d9e2';

/** How the document looks. */
export interface ReceiptStyle {
  locale: Locale;
  /** The platform's accent on white, `#rrggbb`. */
  accent: string;
}

export const receiptPdf = (receipt: ReceiptText, { locale, accent }: ReceiptStyle): Pdf =>
  pdfDocument(
    { title: `${receipt.title} · ${receipt.merchant}`, author: receipt.platform, margin },
    (doc) => {
      const rtl = directionOf(locale) === 'rtl';
      const say = (text: string, setting: Omit<Setting, 'x' | 'width' | 'end'>): void => {
        setText(doc, text, { ...setting, x: margin, width, end: rtl });
      };
      say(receipt.platform, { face: 'bold', points: 12, colour: accent });
      down(doc, 26);
      say(receipt.title, { face: 'bold', points: 22 });
      say(receipt.merchant, { points: 14 });
      if (receipt.test !== null) {
        down(doc, 8);
        say(receipt.test, { face: 'bold', points: 10, colour: '#8a4b00' });
      }
      down(doc, 22);
      say(receipt.total.label, { points: 10, colour: quiet });
      say(receipt.total.amount, { face: 'bold', points: 26 });
      down(doc, 18);
      for (const { label, value } of receipt.facts) {
        rule(doc);
        setFact(doc, label, value, rtl);
      }
      rule(doc);
      down(doc, 16);
      if (receipt.help !== null) say(receipt.help, { points: 9, colour: quiet });
    },
  );

const down = (doc: Pdf, points: number): void => {
  doc.y += points;
};

function rule(doc: Pdf): void {
  doc
    .moveTo(margin, doc.y)
    .lineTo(margin + width, doc.y)
    .lineWidth(0.5)
    .stroke(line);
}

/** A label and its value beside each other; the label is on the side where the language begins. */
function setFact(doc: Pdf, label: string, value: string, rtl: boolean): void {
  const valueWidth = width - labelWidth - gap;
  down(doc, 8);
  const { y } = doc;
  const [labelAt, valueAt] = rtl ? [valueWidth + gap, 0] : [0, labelWidth + gap];
  setText(doc, label, { points: 10, colour: quiet, x: margin + labelAt, width: labelWidth, end: rtl });
  const below = doc.y;
  doc.y = y;
  setText(doc, value, { points: 10, x: margin + valueAt, width: valueWidth, end: rtl });
  doc.y = Math.max(doc.y, below) + 6;
}
