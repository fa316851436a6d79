import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { startCardsim } from '@paydesk/cardsim';
import { startService } from '../compose/service.ts';
import { startTracing } from '../compose/tracing.ts';
import { OffsetClock } from '../base/time/clock.ts';
import { systemIds } from '../base/ids.ts';
import { createLog, keepLogAtEnd, logFile, printLine as print } from '../base/log.ts';
import type { Config } from '../config.ts';
import { keepAddress, loadDemoState, type DemoState } from '../demo/demo-state.ts';
import { startLocalReceiver } from '../demo/receiver.ts';
import { seedDemo } from '../demo/seed.ts';
import { startTable } from '../demo/start-table.ts';
import { createDatabaseIfMissing } from '../base/pg/index.ts';
import { demoShopReceiver, demoShopUrl, startDemoShop } from '../demo/demo-shop.ts';
import { type ConnectionSettings, openEmbedded, prepareDataDir, urlOf } from '../embedded/open-embedded.ts';
import type { CommandContext } from './shared/command.ts';
import { refuseTakenPorts } from './taken-ports.ts';
import { prepareDatabase } from './prepare-database.ts';
import { databaseLostMessage, waitUntilStopped } from './shared/until-stopped.ts';

/** `paydesk start`: runs database, demo platform, card simulator, demo receiver and service in one process. */
export async function startCommand({ config, env, options }: CommandContext): Promise<number> {
  const ids = systemIds();
  await prepareDataDir(config.data_dir);
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
    const shop_file = config.demo && embedded !== null ? (options.shop ?? null) : null;
    // After the data directory: if another start uses that, its ports are not the reason.
    await refuseTakenPorts(config, shop_file !== null);
    const database_url = await prepareDatabase(embedded, config.database_url, { migrates: true, say: print });
    const demo = await loadDemoState(config.data_dir, ids, new OffsetClock().now());
    await chmod(join(config.data_dir, 'demo.json'), 0o600);
    const prepared = withDemoSettings(config, demo);
    const seeded = config.demo ? await startDemo(prepared, demo, { database_url, opened, shop_file }) : null;
    // Before the service, which delivers as soon as it runs: a shop that is not there yet would count as failing.
    if (embedded !== null && seeded !== null && shop_file !== null) {
      opened.push(await startShop(prepared, demo, embedded.connection, shop_file));
    }
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
      demo_shop:
        shop_file === null
          ? null
          : { merchant_id: demo.ids.merchant_id, origin: demoShopUrl(prepared.demo_shop_port) },
    });
    opened.push(() => service.stop());
    await keepAddress(config.data_dir, config.public_url);
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
  {
    database_url,
    opened,
    shop_file,
  }: { database_url: string; opened: (() => Promise<void>)[]; shop_file: string | null },
) {
  const receiver = await startLocalReceiver({
    port: config.demo_receiver_port,
    path: '/paydesk-notifications',
    certificate: demo.certificate,
    secrets: [demo.notify_secret],
    status: 204,
    forward_to: shop_file === null ? null : demoShopReceiver(config.demo_shop_port),
    print: (line) => {
      print(`receiver: ${line}`);
    },
  });
  opened.push(() => receiver.close());
  const cardsim_url = `http://127.0.0.1:${config.demo_cardsim_port}`;
  const seeded = await seedDemo({
    database_url,
    secret_keys: keysOf(config, demo),
    demo,
    cardsim_url,
    receiver_url: receiver.url,
  });
  const cardsim = await startCardsim({
    port: config.demo_cardsim_port,
    stateFile: join(config.data_dir, 'cardsim.json'),
    webhooks: [
      {
        url: `http://${loopbackOf(config.host)}:${config.port}${config.base_path}/webhooks/cardprov/${seeded.webhook_key}`,
        secret: demo.card_webhook_secret,
        account: demo.card_secret_key,
      },
    ],
  });
  opened.push(() => cardsim.close());
  const shop_url = shop_file === null ? null : demoShopUrl(config.demo_shop_port);
  return { ...seeded, cardsim_url, receiver_url: receiver.url, shop_url };
}

/** Starts the demo shop on a second database of the embedded server. Gives what stops it. */
async function startShop(
  config: Config,
  demo: DemoState,
  connection: ConnectionSettings,
  file: string,
): Promise<() => Promise<void>> {
  const own = { ...connection, database: 'demo_shop' };
  await createDatabaseIfMissing(own);
  return startDemoShop({
    ...{ file, port: config.demo_shop_port, print, database_url: urlOf(own), public_url: config.public_url },
    client_id: demo.ids.client_id,
    ...{ client_secret: demo.client_secret, notify_secret: demo.notify_secret },
  });
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
