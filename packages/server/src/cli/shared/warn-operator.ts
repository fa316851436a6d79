import type { Logger } from '../../base/log.ts';
import { changedCollation, ownsTables, tablesWithoutRights } from '../../base/pg/index.ts';
import type { Config } from '../../config.ts';

/**
 * Logs what an operator should repair, although the service runs. The process serves already, so it goes on if the database goes
 * away meanwhile (D-1442).
 */
export async function warnOperator(config: Config, database_url: string, log: Logger): Promise<void> {
  if (config.production && process.versions.node.startsWith('20.')) {
    log.warn('Node.js 20 has ended and gets no security fixes: run Paydesk on Node.js 24');
  }
  if (config.mail === null) {
    log.warn(
      'PAYDESK_SMTP_URL is not set, so no mail is sent and people cannot reset passwords: set it to a mail server',
    );
  }
  await warnOfDatabase(config, database_url, log).catch((err: unknown) => {
    log.warn({ err }, 'what the database lacks could not be looked up: run "npx paydesk doctor"');
  });
}

async function warnOfDatabase(
  { production }: Pick<Config, 'production'>,
  database_url: string,
  log: Logger,
): Promise<void> {
  if (production && (await ownsTables(database_url))) {
    log.warn(
      'the role of DATABASE_URL owns the tables: run "npx paydesk grant-role NAME" and serve under a role that owns nothing',
    );
  }
  const changed = await changedCollation(database_url);
  if (changed !== null) log.error(changed);
  const lacking = await tablesWithoutRights(database_url);
  if (lacking.length > 0) {
    log.error(
      { tables: lacking },
      'the role of DATABASE_URL lacks rights on tables: run "npx paydesk grant-role NAME" with the address of the owner',
    );
  }
}
