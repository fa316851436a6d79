import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/base/pg/index.ts';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { sceneOf } from './scenes.ts';
import { openSimulation, tally } from './simulate.ts';

/**
 * `npm run simulate -- --seeds N [--from S] [--steps K] [--scene NAME] [--until-broken] [--database URL]`: as many
 * seeds as one likes, or those of them that begin with a scene, on a PostgreSQL of its own or in an empty database that is given. A seed that breaks a promise is told with its whole
 * story, and can be run again by its number: `--from S --seeds 1`.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '30' },
    'until-broken': { type: 'boolean', default: false },
    database: { type: 'string' },
    scene: { type: 'string', default: '' },
  },
});

function wholeNumber(name: 'seeds' | 'from' | 'steps'): number {
  if (/^\d{1,10}$/.test(values[name])) return Number(values[name]);
  throw new Error(`--${name} must be a whole number, not "${values[name]}".`);
}

const [from, seeds, steps] = [wholeNumber('from'), wholeNumber('seeds'), wholeNumber('steps')];
const server = values.database === undefined ? await ownServer() : givenDatabase(values.database);
const reached = new Map<string, number>();
let broken = 0;
try {
  await migrate(server.url);
  const simulation = await openSimulation(server.url);
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      if (!sceneOf(seed).includes(values.scene)) continue;
      const report = await simulation.run(seed, steps);
      tally(reached, report);
      if (report.problems.length > 0) {
        broken++;
        console.log(`seed ${seed}: ${report.problems.join('\n  ')}\n  after: ${report.story.join(', ')}`);
      }
      if (report.hung === true || (broken > 0 && values['until-broken'])) break;
      if ((seed - from + 1) % 100 === 0) console.log(`${seed - from + 1} seeds, ${broken} broken`);
    }
  } finally {
    await simulation.close();
  }
} finally {
  await server.stop();
}
console.log(Object.fromEntries([...reached].sort()));
console.log(
  `${broken === 0 ? 'Every promise held' : `${broken} broke a promise`} in ${seeds} seeds of ${steps} steps.`,
);
// What has hung would keep the process.
process.exit(broken === 0 ? 0 : 1);

interface Server {
  url: string;
  stop(): Promise<void>;
}

async function ownServer(): Promise<Server> {
  const data_dir = await mkdtemp(join(tmpdir(), 'paydesk-simulation-'));
  const embedded = await openEmbedded({ data_dir, purpose: 'npm run simulate', durable: false });
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

function givenDatabase(url: string): Server {
  return { url, stop: () => Promise.resolve() };
}
