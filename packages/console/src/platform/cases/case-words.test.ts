import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

beforeAll(() => loadTexts(['codes', 'platform-orders']));

const sourceOf = (path: string): string =>
  readFileSync(new URL(`../../../../server/src/payments/${path}`, import.meta.url), 'utf8');
const textsIn = (source: string): string[] =>
  [...source.matchAll(/'([a-z][^'$]*)'/g)].map(([, text = '']) => text);

test('D-520 every member that the service compares has a name, and the reason names it', async () => {
  const { memberWords, reasonWords } = await import('./case-words.ts');
  const [, compared = ''] =
    /^export function disagreement(.*?)^\}/ms.exec(sourceOf('card/compare-session.ts')) ?? [];
  const [, described = ''] =
    /^export const describeSession(.*?)^\}/ms.exec(sourceOf('settling/attempt-cases.ts')) ?? [];
  const members = [
    ...textsIn(compared),
    ...[...described.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name),
  ];
  expect(members.length).toBeGreaterThan(11);
  // A member without a name of its own is written as the code is.
  expect(
    members.filter((member) => memberWords(member).toLowerCase() === member.replaceAll('_', ' ')),
  ).toEqual([
    'reference',
    'order',
    'amount',
    'currency',
    'amount',
    'currency',
    'reference',
    'status',
    'paid',
  ]);
  expect(reasonWords('mismatch', 'session is not what was asked for')).toBe(
    'Different from the request: Payment page.',
  );
});

test('D-520 every contradiction of a dispute or refund is said in words', async () => {
  const { reasonWords } = await import('./case-words.ts');
  const disputes = sourceOf('losses/settle-dispute.ts');
  const [, contradiction = ''] = /^function contradiction(.*?)^\}/ms.exec(disputes) ?? [];
  const reasons = textsIn(contradiction).filter((text) => text.includes(' '));
  reasons.push(...['refunded', 'chargeback'].map((end) => `disputed after the order was ${end}`));
  const [, beside = ''] = /why: '([^']+)'/.exec(sourceOf('losses/settle-refund.ts')) ?? [];
  reasons.push(beside);
  expect(reasons).toHaveLength(7);
  expect(reasons.filter((why) => reasonWords('mismatch', why) === why)).toEqual([]);
  expect(reasonWords('unfulfillable', 'it came after the order was cancelled')).toBeNull();
});
