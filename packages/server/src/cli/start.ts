import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startCardsim } from '@paydesk/cardsim';
import { startService } from '../compose/service.ts';
import { startTracing } from '../compose/tracing.ts';
import { OffsetClock } from '../base/time/clock.ts';
import { systemIds } from '../base/ids.ts';
import { createLog, keepLogAtEnd, logFile, printLine as print } from '../base/log.ts';
import type { Config } from '../config.ts';
import { loadDemoState, type DemoState } from '../demo/demo-state.ts';
import { startLocalReceiver } from '../demo/receiver.ts';
import { seedDemo } from '../demo/seed.ts';
import { startTable } from '../demo/start-table.ts';
import { openEmbedded } from '../embedded/open-embedded.ts';
import { CommandError } from './shared/command-errors.ts';
import type { CommandContext } from './shared/command.ts';
import { prepareDatabase } from './prepare-database.ts';
import { databaseLostMessage, waitUntilStopped } from './shared/until-stopped.ts';

/** `paydesk start`: runs database, demo platform, card simulator, demo receiver and service in one process. */
export async function startCommand({ config, env }: CommandContext): Promise<number> {
  const ids = systemIds();
  // The parent directories get the usual mode, because PostgreSQL's own user must be able to enter them.
  await mkdir(dirname(config.data_dir), { recursive: true });
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 });
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse()) await close();
  };
  try {
    const embedded =
      config.database_url === null
        ? await openEmbedded({ data_dir: config.data_dir, purpose: 'paydesk start', log: print })
        : null;
    if (embedded !== null) opened.push(() => embedded.stop());
    const database_url = await prepareDatabase(embedded, config.database_url, { migrates: true, say: print });
    const demo = await loadDemoState(config.data_dir, ids, new OffsetClock().now());
    await chmod(join(config.data_dir, 'demo.json'), 0o600);
    const prepared = withDemoSettings(config, demo);

    const seeded = config.demo ? await startDemo(prepared, demo, database_url, opened) : null;
    const tracing = startTracing(env);
    if (tracing !== null) opened.push(() => tracing.stop());
    const log = createLog(config.log_level, logFile(join(config.data_dir, 'paydesk.log')));
    keepLogAtEnd(log);
    tracing?.reportTo(log);
    const service = await startService({
      config: prepared,
      database_url,
      secret_keys: keysOf(prepared, demo),
      role: 'all',
      log,
      tracing,
    });
    opened.push(() => service.stop());
    print(startTable(prepared, demo, seeded, embedded?.runs_as ?? null));
    const why = await waitUntilStopped(embedded?.lost);
    print(why === 'lost' ? databaseLostMessage : 'Stopping …');
    return why === 'lost' ? 1 : 0;
  } finally {
    await closeAll();
  }
}

/** Starts the receiver and the simulator on the ports of the environment, and creates the demo data. */
async function startDemo(
  config: Config,
  demo: DemoState,
  database_url: string,
  opened: (() => Promise<void>)[],
) {
  const receiver = await listenOnPort('PAYDESK_RECEIVER_PORT', config.demo_receiver_port, (port) =>
    startLocalReceiver({
      port,
      path: '/paydesk-notifications',
      certificate: demo.certificate,
      secrets: [demo.notify_secret],
      status: 204,
      print: (line) => {
        print(`receiver: ${line}`);
      },
    }),
  );
  opened.push(() => receiver.close());
  const cardsim_url = `http://127.0.0.1:${config.demo_cardsim_port}`;
  const seeded = await seedDemo({
    database_url,
    secret_keys: keysOf(config, demo),
    demo,
    cardsim_url,
    receiver_url: receiver.url,
  });
  const cardsim = await listenOnPort('PAYDESK_CARDSIM_PORT', config.demo_cardsim_port, (port) =>
    startCardsim({
      port,
      stateFile: join(config.data_dir, 'cardsim.json'),
      webhooks: [
        {
          url: `http://${loopbackOf(config.host)}:${config.port}${config.base_path}/webhooks/cardprov/${seeded.webhook_key}`,
          secret: demo.card_webhook_secret,
          account: demo.card_secret_key,
        },
      ],
    }),
  );
  opened.push(() => cardsim.close());
  return { ...seeded, cardsim_url, receiver_url: receiver.url };
}

/** Listens on a port. If the port is in use, the error names the variable that changes it. */
async function listenOnPort<T>(
  variable: string,
  port: number,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandError(`Port ${port} is in use: set ${variable} to another port.`);
  }
}

/** The address at which the simulator, on the same machine, reaches the service. */
const loopbackOf = (host: string): string => (['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host);

function keysOf(config: Config, demo: DemoState): [Buffer, ...Buffer[]] {
  const [current, ...older] = config.secret_keys;
  return current === undefined ? [Buffer.from(demo.secret_key, 'base64')] : [current, ...older];
}

/** The configuration of the demo: if the demo receiver runs, its loopback address and its certificate are allowed. */
function withDemoSettings(config: Config, demo: DemoState): Config {
  const admin_key = config.admin_key ?? demo.admin_key;
  const mail = config.mail ?? { kind: 'outbox', dir: join(config.data_dir, 'outbox') };
  if (!config.demo) return Object.freeze({ ...config, admin_key, mail });
  return Object.freeze({
    ...config,
    admin_key,
    mail,
    notify_allow_cidrs: [...config.notify_allow_cidrs, '127.0.0.1/32'],
    notify_ca: `${config.notify_ca ?? ''}\n${demo.certificate.cert}`,
  });
}
