/** Keeps large numbers of the service exact: a browser's JSON reader would round them. */
/** A whole number of sixteen or more digits outside a text. A browser's numbers are exact up to fifteen digits. */
const token = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Quotes the whole numbers of a JSON text that a browser would round, so that amounts stay exact. */
export function exactJson(text: string): string {
  return text.replace(token, (part) => {
    if (part.startsWith('"') || Number.isSafeInteger(Number(part))) return part;
    return `"${part}"`;
  });
}
