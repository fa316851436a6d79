import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts } from '../texts/texts.ts';

await loadTexts(['core', 'order']);
const { Hold, UnconfirmedPayment } = await import('./hold.tsx');

const [running, ended] = [null, '2026-10-03T09:00:00Z'];

test.each([
  ['its hold runs', running, [], /Income is on hold.*It becomes available on Oct 3, 2026/],
  ['its hold has ended', ended, ['dismissed'], /The hold has ended.*The hold ended on Oct 3, 2026/],
  ['a dispute froze it', running, ['dismissed', 'open'], /frozen by a dispute.*None of it becomes available/],
  [
    'a dispute came after its hold',
    ended,
    ['open'],
    /nothing is frozen.*ended on Oct 3, 2026.*before the dispute.*from the guarantee first, then from the available balance/,
  ],
] as const)('D-440 an order says what happens to its income: %s', (_case, released_at, statuses, said) => {
  const text = textOf(released_at, statuses, false);
  expect(text).toMatch(said);
  if (statuses.some((status) => status === 'open')) expect(text).not.toContain('becomes available on');
  expect(textOf(released_at, statuses, true)).toBe('');
});

test.each([
  ['pending', 'open', null],
  ['pending', 'processing', 'will confirm it later'],
  ['review', 'processing', 'will confirm it later'],
  ['review', 'unknown', 'is asked again'],
  ['review', 'mismatch', 'differs from the order'],
  ['paid', 'paid', null],
  ['expired', 'failed', null],
])('D-1456 an order says what it waits for: %s, %s', (status, state, said) => {
  const props = { order: { status }, attempts: [{ state }] } as unknown as Parameters<
    typeof UnconfirmedPayment
  >[0];
  const page = renderToStaticMarkup(
    <MantineProvider>
      <UnconfirmedPayment {...props} />
    </MantineProvider>,
  );
  expect(page.includes('Deliver only once the order is paid.')).toBe(said !== null);
  if (said !== null) expect(page).toContain(said);
});

function textOf(released_at: string | null, statuses: readonly string[], reversed: boolean): string {
  const complaints = statuses.map((status) => ({ status }));
  const page = renderToStaticMarkup(
    <MantineProvider>
      <Hold hold={{ release_at: '2026-10-03T09:00:00Z', released_at }} {...{ complaints, reversed }} />
    </MantineProvider>,
  );
  return page
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
