/** PDF documents with texts of any script. */
export { type Face, type Pdf, pdfDocument } from './document.ts';
export { pointsOnOneLine, setText, type Setting, textHeight } from './set-text.ts';
