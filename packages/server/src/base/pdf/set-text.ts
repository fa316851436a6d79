/** Sets a text of any script into lines of a given width. */
import { type Face, type Pdf, useFont } from './document.ts';
import { hasRightToLeft, visualRuns } from './visual-runs.ts';

export interface Setting {
  face?: Face;
  /** Size of the letters. */
  points: number;
  x: number;
  width: number;
  /** At the right edge of the width. */
  end?: boolean;
  colour?: string;
}

/** Invisible marks of direction; the runs of a line do their work here. */
const marks = /[\u200e\u200f\u061c\u2066-\u2069]/g;

/** Sets a text at the document's `y`, and leaves `y` below its last line. */
export function setText(doc: Pdf, marked: string, { face = 'plain', ...setting }: Setting): void {
  const text = marked.replace(marks, '');
  const { points, x, width, end = false, colour = '#000000' } = setting;
  useFont(doc, face, text);
  doc.fontSize(points).fillColor(colour);
  if (!hasRightToLeft(text)) {
    doc.text(text, x, doc.y, { width, align: end ? 'right' : 'left' });
    return;
  }
  for (const line of linesOf(text, width, (part) => widthOf(doc, face, part))) {
    const { y } = doc;
    let at = end ? x + width - widthOf(doc, face, line) : x;
    for (const { text: run } of visualRuns(line)) {
      useFont(doc, face, run);
      doc.text(run, at, y, { lineBreak: false, features: [] });
      at += doc.widthOfString(run, { features: [] });
    }
    doc.font(face);
    doc.y = y + doc.currentLineHeight(true);
  }
}

/** The size at which a text fits on one line: the given one, or a smaller one. */
export function pointsOnOneLine(doc: Pdf, text: string, { face = 'plain', points, width }: Setting): number {
  useFont(doc, face, text);
  const needed = doc.fontSize(points).widthOfString(text);
  return needed <= width ? points : (points * (width - 1)) / needed;
}

/** How high a text is when it is set. Leaves the document as it was. */
export function textHeight(doc: Pdf, marked: string, { face = 'plain', points, width }: Setting): number {
  const text = marked.replace(marks, '');
  useFont(doc, face, text);
  doc.fontSize(points);
  if (!hasRightToLeft(text)) return doc.heightOfString(text, { width });
  const lines = linesOf(text, width, (part) => widthOf(doc, face, part));
  doc.font(face);
  return lines.length * doc.currentLineHeight(true);
}

/** With features, even if there are none, a run is shaped as a whole instead of word by word. */
function widthOf(doc: Pdf, face: Face, line: string): number {
  let width = 0;
  for (const { text } of visualRuns(line)) {
    useFont(doc, face, text);
    width += doc.widthOfString(text, { features: [] });
  }
  return width;
}

/** Whole words in each line. A word that is wider than a line is cut. */
function linesOf(text: string, width: number, widthIn: (part: string) => number): string[] {
  const cut = (word: string): string[] => {
    if (widthIn(word) <= width) return [word];
    const parts = [''];
    for (const char of word) {
      const longer = `${parts.at(-1) ?? ''}${char}`;
      if (widthIn(longer) > width) parts.push(char);
      else parts[parts.length - 1] = longer;
    }
    return parts;
  };
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap(cut)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthIn(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
