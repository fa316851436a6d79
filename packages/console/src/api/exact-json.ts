/** A whole number of sixteen digits or more outside a text: a browser's numbers are exact up to fifteen, and a few beyond. */
const token = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Puts quotes around whole numbers in a JSON text that a browser would round: amounts stay what they are. */
export function exactJson(text: string): string {
  return text.replace(token, (part) => {
    if (part.startsWith('"') || Number.isSafeInteger(Number(part))) return part;
    return `"${part}"`;
  });
}
