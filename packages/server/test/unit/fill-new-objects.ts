import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { keepNewObjectsSmall, letNewObjectsGrow } from '../../src/compose/new-objects.ts';

/** A process of its own for `new-objects.test.ts`: writes how many MB new objects have at most, while small and later. */

const kept: object[] = [];

/** Makes much garbage, of which a part lives for a while, and returns the largest size of the space meanwhile. */
async function fill(): Promise<number> {
  let largest = 0;
  for (let turn = 0; turn < 200; turn++) {
    for (let i = 0; i < 20_000; i++)
      kept[(turn * 20_000 + i) % 60_000] = { i, list: [1, 2, 3, i], text: `x${i}` };
    await setImmediate();
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    largest = Math.max(largest, space?.space_size ?? 0);
  }
  return largest / (1024 * 1024);
}

keepNewObjectsSmall();
const small = await fill();
const end = letNewObjectsGrow(8 * 1024 * 1024);
console.log(JSON.stringify({ small, grown: await fill() }));
end();
