import { createLog, keepLogAtEnd } from '../base/log.ts';
import { ownsTables, tablesWithoutRights } from '../base/pg/index.ts';
import { release } from '../base/release.ts';
import { type Role, startService } from '../compose/service.ts';
import { startTracing } from '../compose/tracing.ts';
import { ConfigError } from '../config.ts';
import { openEmbedded } from '../embedded/open-embedded.ts';
import type { CommandContext } from './shared/command.ts';
import { prepareDatabase } from './prepare-database.ts';
import { databaseLostMessage, waitUntilStopped } from './shared/until-stopped.ts';

const roles: readonly Role[] = ['all', 'web', 'worker'];

/**
 * `paydesk serve`: runs the service for production, without demo data and simulator. It does not start without a secret
 * key.
 */
export async function serveCommand({ options, flags, config, env }: CommandContext): Promise<number> {
  const role = roles.find((known) => known === options.role) ?? 'all';
  const [current, ...older] = config.secret_keys;
  if (current === undefined) {
    throw new ConfigError(
      'PAYDESK_SECRET_KEY',
      'must be set: 32 bytes in base64 ("openssl rand -base64 32").',
    );
  }
  const tracing = startTracing(env);
  const log = createLog(config.log_level);
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
    const migrates = !flags.has('no-migrate');
    const database_url = await prepareDatabase(embedded, config.database_url, { migrates, say });
    const service = await startService({
      config,
      database_url,
      secret_keys: [current, ...older],
      role,
      log,
      tracing,
    });
    log.info({ url: service.url, role, version: release }, 'paydesk is serving');
    if (config.production && process.versions.node.startsWith('20.')) {
      log.warn('Node.js 20 has ended and gets no security fixes: run Paydesk on Node.js 24');
    }
    if (config.production && (await ownsTables(database_url))) {
      log.warn(
        'the role of DATABASE_URL owns the tables: run "npx paydesk grant-role NAME" and serve under a role that owns nothing',
      );
    }
    const lacking = await tablesWithoutRights(database_url);
    if (lacking.length > 0) {
      log.error(
        { tables: lacking },
        'the role of DATABASE_URL lacks rights on tables: run "npx paydesk grant-role NAME" with the address of the owner',
      );
    }
    if (config.mail === null) {
      log.warn(
        'PAYDESK_SMTP_URL is not set, so no mail is sent and people cannot reset passwords: set it to a mail server',
      );
    }
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
