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

/** The kind of a target such as `order:mp_…`, in words if there are some. The address of an exported list has none. */
export function kindOf(target: string): string {
  const [kind = ''] = target.split(':', 1);
  if (kind === target) return '';
  const told = t(`kind.${kind}` as Parameters<typeof t>[0]);
  return told.startsWith('kind.') ? kind.replaceAll('_', ' ') : told;
}

/** What a target is called; the file of an exported list, because the rest of its address names the merchant's console. */
export const nameOf = (target: string): string =>
  target.startsWith('/') ? target.slice(target.lastIndexOf('/') + 1) : target.slice(target.indexOf(':') + 1);
