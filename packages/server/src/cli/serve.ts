import { availableParallelism } from 'node:os';
import { createLog, keepLogAtEnd } from '../base/log.ts';
import { release } from '../base/release.ts';
import { keepNewObjectsSmall } from '../compose/new-objects.ts';
import type { Role } from '../compose/service.ts';
import { readPlace, runChild, runPrimary } from '../compose/processes/index.ts';
import { startTracing } from '../compose/tracing.ts';
import { ConfigError } from '../config.ts';
import { openEmbedded } from '../embedded/open-embedded.ts';
import { UsageError } from './shared/command-errors.ts';
import { connectionWarning, readConnectionRoom } from './shared/connection-room.ts';
import type { CommandContext } from './shared/command.ts';
import { prepareDatabase } from './prepare-database.ts';
import { databaseLostMessage, waitUntilStopped } from './shared/until-stopped.ts';
import { warnOperator } from './shared/warn-operator.ts';

const roles: readonly Role[] = ['all', 'web', 'worker'];

/** More processes would only wait for the cores of today's machines. */
const mostProcesses = 256;

/**
 * `paydesk serve`: runs the service for production, without demo data and simulator. It does not start without a secret
 * key.
 */
export async function serveCommand({ options, flags, config, env }: CommandContext): Promise<number> {
  const role = roles.find((known) => known === options.role) ?? 'all';
  const place = readPlace();
  const web = readProcesses(options.processes, role);
  const [current, ...older] = config.secret_keys;
  if (current === undefined) {
    throw new ConfigError(
      'PAYDESK_SECRET_KEY',
      'must be set: 32 bytes in base64 ("openssl rand -base64 32").',
    );
  }
  const isFirst = web !== null && place === null;
  keepNewObjectsSmall();
  const tracing = isFirst ? null : startTracing(env);
  const name = isFirst ? 'first' : place?.name;
  const log = createLog(config.log_level, undefined, name === undefined ? null : { process: name });
  keepLogAtEnd(log);
  tracing?.reportTo(log);
  const say = (line: string): void => {
    log.info(line);
  };
  const embedded =
    config.database_url === null
      ? await openEmbedded({
          data_dir: config.data_dir,
          purpose: 'paydesk serve',
          log: say,
        })
      : null;
  try {
    const migrates = !flags.has('no-migrate') && place === null;
    const database_url = await prepareDatabase(embedded, config.database_url, { migrates, say });
    const settings = { config, database_url, secret_keys: [current, ...older] as const, log, tracing };
    if (place !== null) {
      await runChild(settings, place.role);
      return 0;
    }
    const processes = (web ?? 0) + (role === 'all' || web === null ? 1 : 0);
    const crowded = connectionWarning(
      { processes, db_pool: config.db_pool },
      await readConnectionRoom(database_url),
    );
    if (crowded !== null) log.warn(crowded);
    if (web !== null) {
      await warnOperator(config, database_url, log);
      return await runPrimary({
        ...{ config, log, web, worker: role === 'all', lost: embedded?.lost },
        env: embedded === null ? {} : { DATABASE_URL: database_url },
      });
    }
    // The first of several processes does not need it.
    const { startService } = await import('../compose/service.ts');
    const service = await startService({ ...settings, role });
    log.info({ url: service.url, role, version: release }, 'paydesk is serving');
    // A signal must not wait for the look-up.
    void warnOperator(config, database_url, log);
    const why = await waitUntilStopped(embedded?.lost);
    if (why === 'lost') log.fatal(databaseLostMessage);
    else log.info('paydesk is stopping');
    await service.stop();
    return why === 'lost' ? 1 : 0;
  } finally {
    await tracing?.stop();
    await embedded?.stop();
  }
}

/** The number of processes that answer requests; null where this process does everything alone. */
function readProcesses(text: string | undefined, role: Role): number | null {
  if (text === undefined) return null;
  if (role === 'worker') {
    throw new UsageError('--processes is for processes that answer requests: --role worker runs one.');
  }
  if (text === 'auto') return availableParallelism();
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > mostProcesses) {
    throw new UsageError(`--processes must be auto or a number from 1 to ${mostProcesses}.`);
  }
  return number;
}
