/** Something that buyers are asked for. */
export interface AskedInput {
  key: string;
  label: string;
  placeholder: string;
  required: boolean;
}

/** Reads `key=label=required`, with `=placeholder` behind it where there is one. */
export function inputOf(text: string): AskedInput {
  const [key = '', label = '', required = '', ...rest] = text.split('=');
  return { key, label, required: required === 'true', placeholder: rest.join('=') };
}

/** The same as a text. */
export function writtenInput({ key, label, placeholder, required }: AskedInput): string {
  const text = `${key.trim()}=${label.trim()}=${String(required)}`;
  return placeholder.trim() === '' ? text : `${text}=${placeholder.trim()}`;
}
