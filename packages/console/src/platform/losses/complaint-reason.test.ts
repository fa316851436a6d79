import { complaintReasons } from '@paydesk/contract';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

beforeAll(() => loadTexts(['codes', 'platform-orders']));

test.each([
  ['a person', 'platform', 'a customer has called', 'a customer has called'],
  ['a bank', 'provider', complaintReasons.dispute, undefined],
  ['a partial refund', 'provider', complaintReasons.partial_refund, 'Partial refund'],
])('D-906 a complaint says why %s has opened it', async (_, source, reason, words) => {
  const { complaintReason } = await import('./complaint-reason.ts');
  expect(complaintReason({ source, reason })).toBe(words);
});
