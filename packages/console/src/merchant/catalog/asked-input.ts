/** A question that buyers answer in an order. */
export interface AskedInput {
  key: string;
  label: string;
  placeholder: string;
  required: boolean;
}

/** Reads `key=label=required`, with an optional `=placeholder` at the end. */
export function inputOf(text: string): AskedInput {
  const [key = '', label = '', required = '', ...rest] = text.split('=');
  return { key, label, required: required === 'true', placeholder: rest.join('=') };
}

/** Writes a question as `inputOf` reads it. */
export function writtenInput({ key, label, placeholder, required }: AskedInput): string {
  const text = `${key.trim()}=${label.trim()}=${String(required)}`;
  return placeholder.trim() === '' ? text : `${text}=${placeholder.trim()}`;
}
