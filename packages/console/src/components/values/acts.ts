/** The acts of the audit log in words (D-491). */
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('acts');

/** Acts without words of their own, such as those of a newer service, are told by their name: "Client create". */
export function actInWords(action: string): string {
  // A text that does not exist is its key.
  const told = t(action as Parameters<typeof t>[0]);
  if (told !== action) return told;
  const plain = action.replaceAll(/[._-]+/g, ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The kind of a target such as `order:mp_…`. */
export const kindOf = (target: string): string => (target.split(':')[0] ?? '').replaceAll('_', ' ');

export const nameOf = (target: string): string => target.slice(target.indexOf(':') + 1);
