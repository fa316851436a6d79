import { expect, onTestFinished, test } from 'vitest';
import { drill } from '../drills/coordinator.ts';
import { figuresOf, verdictOf } from '../drills/drill.ts';
import { keptLogs } from '../support/run/kept-logs.ts';

/**
 * The drill `coordinator`, with the same choices in every run: 200 payments and their releases, while it is killed ten times.
 * Beside much other work it needs more than the usual time of a test.
 */

test('D-596 a coordinator that is killed during payments and releases loses and doubles none, and the books verify', async () => {
  const said: string[] = [];
  const logs = await keptLogs('coordinator-dies');
  onTestFinished(({ task }) => logs.end(task.result?.state === 'pass'));
  const result = await drill.run({ seed: 1, logs: logs.path, log: (line) => said.push(line) });
  console.log([...said, ...result.told, ...figuresOf(result)].join('\n'));
  expect(verdictOf(drill, result)).toEqual([]);
  expect(result.acknowledged).toBe(200);
}, 1_200_000);
