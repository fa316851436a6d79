import { comparedMembers, contradictions, differenceOf } from '@paydesk/contract';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

beforeAll(() => loadTexts(['codes', 'platform-orders']));

test('D-520 a case says in words what differs, and what contradicts the books', async () => {
  const { reasonWords } = await import('./case-words.ts');
  const sentences = [...comparedMembers.map(differenceOf), ...contradictions];
  const said = sentences.map((why) => reasonWords('mismatch', why));
  expect(said.filter((words, i) => words === null || words === sentences[i])).toEqual([]);
  expect(reasonWords('mismatch', 'session is not what was asked for')).toBe(
    'Different from the request: Payment page.',
  );
  expect(reasonWords('mismatch', 'a reason of tomorrow')).toBe('a reason of tomorrow');
  expect(reasonWords('unfulfillable', 'it came after the order was cancelled')).toBeNull();
});

test.each([
  ['order_no', 'Order'],
  ['livemode', 'Live mode'],
  ['member_of_tomorrow', 'Member of tomorrow'],
])('D-520 the member %s is called %s', async (member, name) => {
  const { memberWords } = await import('./case-words.ts');
  expect(memberWords(member)).toBe(name);
});
