import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../../src/base/pg/index.ts';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { memoryDirectory } from '../support/run/temporary.ts';
import { openSimulation, type Simulation } from './simulate.ts';

/** Opens a simulation in an empty database, or on a PostgreSQL of its own. */
export async function openOwnSimulation(database?: string): Promise<Simulation> {
  const server =
    database === undefined ? await ownServer() : { url: database, stop: () => Promise.resolve() };
  try {
    await migrate(server.url);
    const simulation = await openSimulation(server.url);
    return {
      run: (seed, steps) => simulation.run(seed, steps),
      async close() {
        await simulation.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

async function ownServer(): Promise<Server> {
  const data_dir = await mkdtemp(join(await memoryDirectory(), 'paydesk-simulation-'));
  const embedded = await openEmbedded({ data_dir, purpose: 'npm run simulate', durable: false });
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}
