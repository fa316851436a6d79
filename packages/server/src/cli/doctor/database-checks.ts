/** The database: its version, schema, rights, limits and clock, and what it stores about keys and channels. */
import { checkKeys } from '../../base/keys/index.ts';
import {
  changedCollation,
  checkSearchPath,
  checkVersion,
  type Database,
  openDatabase,
  ownsTables,
  probePooler,
  sql,
  tablesWithoutRights,
  waitingCommits,
} from '../../base/pg/index.ts';
import { type SecretBox } from '../../base/secret-box.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { selectHold } from '../../base/traffic/traffic-hold.ts';
import { isCountedByCards } from '../../channels/card/index.ts';
import { isConfigured, selectChannels } from '../../channels/index.ts';
import type { Config } from '../../config.ts';
import { selectCurrencies } from '../../currencies/index.ts';
import { type ConnectionRoom, selectConnectionRoom, settingOf } from '../shared/connection-room.ts';
import { databaseProblem } from '../shared/database-problem.ts';
import { fail, type Finding, findingsOf, ok, reasonOf, warn } from './finding.ts';

type Report = (findings: readonly Finding[]) => void;

const oldestServer = 150_000;

/** Looks at the database at this address. Each check is independent, so that a failing one hides no other. */
export async function checkDatabase(
  url: string,
  config: Config,
  box: SecretBox | null,
  report: Report,
): Promise<{ api_bases: string[] }> {
  const db = openDatabase({ url, max: 1, application_name: 'paydesk doctor' });
  try {
    const server = await findingsOf('database', () => checkServer(db, config), { known: databaseProblem });
    report(server);
    if (server.some(({ about, level }) => about === 'database' && level === 'fail')) {
      report([
        warn('not checked', 'Schema, rights, keys, clock, webhook secrets and provider need the database.'),
      ]);
      return { api_bases: [] };
    }
    report(await findingsOf('collation', () => checkCollation(url)));
    report(await findingsOf('pooler', () => checkPooler(url)));
    report(await findingsOf('clock', () => checkClock(db)));
    const schema = await findingsOf('schema', () => checkSchema(db, url), { known: databaseProblem });
    report(schema);
    if (schema.some(({ level }) => level === 'fail')) {
      report([warn('not checked', 'Rights, keys, webhook secrets and provider need the schema.')]);
      return { api_bases: [] };
    }
    report(await findingsOf('traffic hold', () => checkHold(db)));
    report(await findingsOf('rights', () => checkRights(url, config)));
    report(await findingsOf('key', () => checkKey(db, box)));
    const channels = await selectChannels(db);
    report(await findingsOf('webhook secret', () => checkChannels(channels, config)));
    const cards = channels.filter(({ provider, enabled }) => provider === 'cardprov' && enabled);
    report(await findingsOf('currency', async () => checkCurrencies(cards, await selectCurrencies(db))));
    return { api_bases: [...new Set(cards.map(({ api_base }) => api_base))] };
  } finally {
    await db.close();
  }
}

interface ServerRow {
  [member: string]: unknown;
  version: number;
  name: string;
  extensions: string[];
  standby: boolean;
  writes: boolean;
}

/** The server: its version, its free connections, and whether it takes writes (D-643) and confirms them (D-1359). */
async function checkServer(db: Database, config: Config): Promise<Finding[]> {
  const began = performance.now();
  const [row] = await db.query<ServerRow>(sql`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      ARRAY(SELECT extname::text FROM pg_extension ORDER BY extname) AS extensions,
      pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'off' AS writes`);
  const ms = Math.round(performance.now() - began);
  if (row === undefined) return [fail('database', 'It gives no answer.')];
  const findings = [
    row.version < oldestServer
      ? fail('database', `PostgreSQL ${row.name} is too old: 15 or newer is needed.`)
      : ok('database', `PostgreSQL ${row.name} answers in ${ms} ms.`),
    ok('extensions', `None is needed; there are: ${row.extensions.join(', ')}.`),
    connectionsFinding(await selectConnectionRoom(db), config),
  ];
  if (row.standby) findings.push(fail('database', 'This server is a standby, which accepts no writes.'));
  else if (!row.writes) {
    const words =
      'It takes no writes: default_transaction_read_only is on, as hosts set it when a disk is full.';
    findings.push(fail('database', words));
  }
  const waiting = await waitingCommits(db);
  if (waiting > 0) {
    const words = `Commits wait for it (${waiting}): no standby of synchronous_standby_names confirms them.`;
    findings.push(fail('standby', `${words} See docs/operating/failover.md.`));
  }
  return findings;
}

function connectionsFinding({ whose, allowed, used }: ConnectionRoom, { db_pool }: Config): Finding {
  const may = whose === 'PostgreSQL' ? `${allowed} allowed` : `${whose} may have ${allowed}`;
  const words = `${may}, ${used} in use; each process opens up to ${db_pool}.`;
  const free = allowed - used;
  if (free >= db_pool) return ok('connections', words);
  const advice = `Lower PAYDESK_DB_POOL, or raise ${settingOf(whose)}.`;
  return (free < 5 ? fail : warn)('connections', `${words} ${advice}`);
}

/** How texts are sorted (D-1302). Where nothing has changed, it needs no line. */
async function checkCollation(url: string): Promise<Finding[]> {
  const changed = await changedCollation(url);
  return changed === null
    ? []
    : [fail('collation', `${changed.charAt(0).toUpperCase()}${changed.slice(1)}.`)];
}

/** A pooler that loses prepared statements is found (D-682). One that works, and none, need no line. */
async function checkPooler(url: string): Promise<Finding[]> {
  await probePooler(url);
  return [];
}

const clockLimits = { warn_s: 2, fail_s: 30 };

async function checkClock(db: Database): Promise<Finding[]> {
  await db.askTime();
  const { sent_ms, received_ms, database } = await db.askTime();
  const middle = performance.timeOrigin + (sent_ms + received_ms) / 2;
  const off_s = Math.abs(database.getTime() - middle) / 1_000;
  const words = `This machine differs from the database by ${off_s.toFixed(1)} s.`;
  if (off_s > clockLimits.fail_s)
    return [fail('clock', `${words} Processes here are not ready: set the clock.`)];
  return [off_s > clockLimits.warn_s ? warn('clock', `${words} Set the clock.`) : ok('clock', words)];
}

/** The schema: what it lacks, and what to run then (D-644). */
async function checkSchema(db: Database, url: string): Promise<Finding[]> {
  await checkSearchPath(url);
  const [row] = await db.query<{ there: boolean }>(
    sql`SELECT to_regclass('schema_migrations') IS NOT NULL AS there`,
  );
  if (row?.there !== true)
    return [
      fail(
        'schema',
        'The database is not migrated: run "npx paydesk migrate" with the DATABASE_URL of the owner.',
      ),
    ];
  await checkVersion(db);
  return [ok('schema', 'It fits this release.')];
}

async function checkRights(url: string, { production, database_url }: Config): Promise<Finding[]> {
  // The address of the embedded database is that of its owner (D-1474).
  if (database_url === null)
    return [ok('rights', 'Here serve works under a role of its own, which owns nothing.')];
  const lacking = await tablesWithoutRights(url);
  if (lacking.length > 0) {
    return [
      fail(
        'rights',
        `The role lacks rights on ${lacking.join(', ')}: run "npx paydesk grant-role NAME" as the owner.`,
      ),
    ];
  }
  if (!(await ownsTables(url)))
    return [ok('rights', 'The role owns nothing and has the rights that it needs.')];
  const words = 'The role owns the tables: run "npx paydesk grant-role NAME" and serve under that role.';
  return [production ? warn('rights', words) : ok('rights', 'The role owns the tables.')];
}

/** Whether `paydesk after-restore` holds the traffic (D-1475). Where it does not, it needs no line. */
async function checkHold(db: Database): Promise<Finding[]> {
  const hold = await selectHold(db);
  if (hold === null) return [];
  const words = `Traffic is held since ${rfc3339(hold.held_at)}: ${hold.reason}.`;
  return [fail('traffic hold', `${words} See docs/operating/restore.md.`)];
}

async function checkKey(db: Database, box: SecretBox | null): Promise<Finding[]> {
  if (box === null) return [warn('key', 'Not checked, because there is no secret key.')];
  try {
    await checkKeys(db, box);
    return [ok('key', 'The first secret key opens what the database stores.')];
  } catch (error) {
    // A database that was never served has no canary yet.
    const words = reasonOf(error);
    return [
      words.includes('has no keys')
        ? warn('key', 'The service has not been started yet.')
        : fail(
            'key',
            `${words}. Add the key that sealed this database to PAYDESK_SECRET_KEY (docs/operating/secrets.md).`,
          ),
    ];
  }
}

/** Currencies that no card can pay, because the provider counts them with other decimals (D-915). */
function checkCurrencies(
  cards: Awaited<ReturnType<typeof selectChannels>>,
  currencies: Awaited<ReturnType<typeof selectCurrencies>>,
): Finding[] {
  const taken = new Set(cards.flatMap(({ supported_currencies }) => supported_currencies));
  return currencies
    .filter(({ code, decimals: currency_decimals, enabled }) => {
      return enabled && taken.has(code) && !isCountedByCards({ currency: code, currency_decimals });
    })
    .map(({ code, decimals }) =>
      fail(
        'currency',
        `${code} has ${decimals} decimals, and the card provider counts it with others: no card can pay it.`,
      ),
    );
}

function checkChannels(
  channels: Awaited<ReturnType<typeof selectChannels>>,
  { production }: Config,
): Finding[] {
  const cards = channels.filter(({ provider, enabled }) => provider === 'cardprov' && enabled);
  if (cards.length === 0) return [warn('webhook secret', 'There is no enabled card channel.')];
  return cards.map((channel) => {
    const { name, payment_no, webhook_secret_box, live_key, test_mode } = channel;
    const which = `Channel ${payment_no} (${name})`;
    if (webhook_secret_box === null) {
      return fail('webhook secret', `${which} has none: payments by card are noticed late or not at all.`);
    }
    if (!isConfigured(channel)) return fail('webhook secret', `${which} has no key of the provider.`);
    if (production && !live_key && !test_mode) {
      return warn('webhook secret', `${which} has one, but its key is a test key and it is no test channel.`);
    }
    return ok('webhook secret', `${which} has one.`);
  });
}
