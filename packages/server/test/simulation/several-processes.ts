import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Report, Simulation } from './simulate.ts';

/** Simulations in processes of their own, each with its own PostgreSQL: a seed uses one core at a time. */
export const openProcesses = (count: number): Simulation[] => Array.from({ length: count }, openProcess);

function openProcess(): Simulation {
  const path = fileURLToPath(new URL('seed-process.ts', import.meta.url));
  const child = fork(path, { serialization: 'advanced' });
  return {
    run: (seed, steps) => {
      child.send({ seed, steps });
      return answerOf(child);
    },
    async close() {
      const ended = once(child, 'close');
      child.send('end');
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<Report> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'close', { signal }).then(() => {
    throw new Error('A process of the simulation has ended.');
  });
  try {
    const answered = once(child, 'message', { signal }) as Promise<[Report]>;
    const [report] = await Promise.race([answered, ended]);
    return report;
  } finally {
    over.abort();
    ended.catch(() => undefined);
  }
}
