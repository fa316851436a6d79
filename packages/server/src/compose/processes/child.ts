/** A process that the first one has started: it serves or works until the first one asks it to end, or has ended. */
import cluster from 'node:cluster';
import type { Service } from '../service.ts';
import type { Role, ServiceOptions } from '../options.ts';
import { createLink, type Link } from './link.ts';
import { askingLimiter } from './family-limiter.ts';
import { growingFigures } from './summed-metrics.ts';

/** How long a figure of the first process may take. */
const metrics_ms = 3_000;

/** The name and role that the first process gave this one; null where this is not such a process. */
export function readPlace(): { name: string; role: Role } | null {
  const { [placeVariable]: name } = process.env;
  if (!cluster.isWorker || name === undefined) return null;
  return { name, role: name === workerName ? 'worker' : 'web' };
}

/** The variable with the name of a process. Not PAYDESK_…: it is not a setting. */
export const placeVariable = 'PROCESS_OF_PAYDESK';

/** The name of the process for background work. */
export const workerName = 'worker';

/** Runs the service as one of several processes. Resolves when it has ended. */
export async function runChild(options: Omit<ServiceOptions, 'role' | 'family'>, role: Role): Promise<void> {
  let asked = (_end: 'replaced' | 'stop' | 'orphan'): void => undefined;
  const end = new Promise<'replaced' | 'stop' | 'orphan'>((resolve) => {
    asked = resolve;
  });
  let service: Service | null = null;
  const link = createLink(
    {
      send: (message) => {
        if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
      },
      onMessage: (listener) => process.on('message', listener),
    },
    {
      metrics: () => service?.health.registry.getMetricsAsJSON() ?? [],
      ready: async () => (await service?.health.readiness()) ?? [],
      stop: asked,
    },
  );
  // All processes of a terminal or a unit get the signal, so that this one may have begun to end when it is asked.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      asked('stop');
    });
  process.on('SIGHUP', () => undefined);
  cluster.worker?.on('disconnect', () => {
    // Else Node.js would end this process in the middle of its requests.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    asked('orphan');
  });

  // The first process, which loads this file too, does not need it.
  const { startService } = await import('../service.ts');
  service = await startService({ ...options, role, family: familyOf(link, role) });
  link.tell('ready');
  const why = await end;
  options.log.info(
    why === 'orphan' ? 'the first process is gone, so this one ends' : 'this process is stopping',
  );
  if (why === 'replaced') await service.leave();
  await service.stop();
  await sayLast(link, service);
}

const familyOf = (link: Link, role: Role): NonNullable<ServiceOptions['family']> => ({
  listens: role !== 'worker',
  limiter: askingLimiter(link),
  metrics: () => link.ask<string>('metrics', null, metrics_ms),
});

/** Sends the final figures of this process to the first process. */
async function sayLast(link: Link, service: Service): Promise<void> {
  if (!process.connected) return;
  const figures = await growingFigures(service.health.registry);
  await link.ask('last', figures, metrics_ms).catch(() => undefined);
}
