/** Chooses the sentence that a page shows about a refused form. */
import type { Said } from '@paydesk/checkout';
import type { AppError } from '../../base/errors.ts';

/**
 * @param words the sentence for each error code that the page can explain
 * @returns undefined where the page has no sentence for this error
 */
export function messageOf(
  { code, detail }: AppError,
  words: Partial<Record<AppError['code'], Extract<Said, { kind: 'bad' }>['key']>>,
): Said | undefined {
  if (code === 'rate_limited') return { kind: 'limited', retry_after_s: detail.retry_after_s ?? 60 };
  const key = words[code];
  return key === undefined ? undefined : { kind: 'bad', key };
}
