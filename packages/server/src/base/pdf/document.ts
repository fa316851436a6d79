/** PDF documents in A4, whose texts may be of any script: what the first font lacks, a font of all of Unicode has. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { unpackWoff } from './woff.ts';

export type Pdf = PDFKit.PDFDocument;
export type Face = 'plain' | 'bold';

const { resolve } = createRequire(import.meta.url);
const fonts: Readonly<Record<Face, string>> = {
  plain: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
};

/** Read at the first text that needs it. It is unpacked once: a packed table would be unpacked for each character. */
let everyCharacter: Buffer | undefined;
const fontOfEverything = (): Buffer =>
  (everyCharacter ??= unpackWoff(
    readFileSync(resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')),
  ));

export interface PdfHead {
  title: string;
  author: string;
  /** In points. */
  margin: number;
}

/**
 * A document as a stream of bytes.
 *
 * @param write writes the pages; if it fails, the stream ends with the error and is never taken for a whole document
 */
export function pdfDocument(
  { title, author, margin }: PdfHead,
  write: (doc: Pdf) => void | Promise<void>,
): Pdf {
  const doc = new PDFDocument({ size: 'A4', margin, info: { Title: title, Author: author } });
  for (const [name, file] of Object.entries(fonts)) doc.registerFont(name, resolve(file));
  const writing = async (): Promise<void> => write(doc);
  writing().then(
    () => {
      doc.end();
    },
    (error: unknown) => {
      doc.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return doc;
}

/** Uses a font, or the one with every character where it lacks one of the text. */
export function useFont(doc: Pdf, face: Face, text: string): void {
  doc.font(face);
  const { font: inside } = (
    doc as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } }
  )._font;
  const isThere = Array.from(text).every((char) => inside.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));
  if (!isThere) doc.registerFont('any', fontOfEverything()).font('any');
}
