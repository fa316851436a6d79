import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startSource } from '../support/run/source-process.ts';

const program = fileURLToPath(new URL('./fill-new-objects.ts', import.meta.url));

test('D-562 D-1092 new objects take little while a process starts, then up to their limit and no more', async () => {
  const filling = startSource(program);
  const { small, grown } = JSON.parse(await filling.line()) as { small: number; grown: number };
  expect(await filling.exited).toBe(0);
  expect(small).toBeLessThan(32);
  expect(grown).toBeGreaterThan(small);
  // Without a limit they have 32 MB or more. V8 may double their space once more before the process sees it.
  expect(grown).toBeLessThan(32);
});
