import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { migrate, migrationsDir, tablesWithoutRights } from '../../../src/base/pg/index.ts';
import {
  askDatabase,
  emptyDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';
import { partitionedDatabase } from '../../support/servers/partitioned.ts';

/** The service works under a role that owns nothing, and append-only tables refuse TRUNCATE too (D-194). */

const appendOnly = ['audit_log', 'ledger_transfers', 'posted_references', 'seals', 'user_wallet_lines'];

/** Runs a command; its exit code and everything that it printed. */
async function paydesk(args: string[], url: string): Promise<{ code: number; said: string }> {
  const lines: unknown[] = [];
  const keep = (line: unknown): void => void lines.push(line);
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(console, 'error').mockImplementation(keep),
  ];
  const code = await runCommand(args, { DATABASE_URL: url });
  for (const spy of spies) spy.mockRestore();
  return { code, said: lines.join('\n') };
}

let roles: string[] = [];
const newRole = (): string => {
  const name = `role_${randomBytes(6).toString('hex')}`;
  roles.push(name);
  return name;
};
/** The same address, acting as another role. */
const as = (url: string, role: string): string => `${url}?options=${encodeURIComponent(`-c role=${role}`)}`;

const databases: TestDatabase[] = [];
const keepUntilEnd = (database: TestDatabase): TestDatabase => {
  databases.push(database);
  return database;
};
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  for (const role of roles) await askDatabase(inject('adminUrl'), `DROP ROLE IF EXISTS ${role}`);
  roles = [];
});

describe.each([
  ['one table each', freshDatabase],
  ['partitioned tables', partitionedDatabase],
])('append-only tables, %s', (_, make) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await make();
  });
  afterAll(() => database.drop());

  test.each(appendOnly)('D-194 %s refuses TRUNCATE by its owner', async (table) => {
    await expect(askDatabase(database.url, `TRUNCATE ${table}`)).rejects.toThrow(`${table} is append-only`);
  });
});

/** Every partition of the append-only tables. */
const partitionsOf = async (url: string): Promise<string[]> => {
  const rows = await askDatabase(
    url,
    `SELECT relid::regclass::text AS name FROM unnest('{${appendOnly.join()}}'::regclass[]) AS whole,
      pg_partition_tree(whole) WHERE level > 0 ORDER BY 1`,
  );
  return rows.map(({ name }) => String(name));
};

test('D-194 every partition of an append-only table refuses TRUNCATE by its owner', async () => {
  const { url } = keepUntilEnd(await partitionedDatabase());
  const partitions = await partitionsOf(url);
  expect(partitions).toContain('ledger_transfers_p0');
  for (const table of partitions) {
    await expect(askDatabase(url, `TRUNCATE ${table}`)).rejects.toThrow(`${table} is append-only`);
  }
  // Partitions that an operator adds later are protected by the next grant-role.
  await askDatabase(
    url,
    `ALTER TABLE seals DETACH PARTITION seals_p1; DROP TABLE seals_p1; CREATE TABLE seals_new
      PARTITION OF seals FOR VALUES WITH (MODULUS 2, REMAINDER 1)`,
  );
  expect(await askDatabase(url, 'TRUNCATE seals_new')).toEqual([]);
  expect((await paydesk(['grant-role', newRole()], url)).code).toBe(0);
  await expect(askDatabase(url, 'TRUNCATE seals_new')).rejects.toThrow('seals_new is append-only');
});

test.each(appendOnly)('D-194 the role of the service may only read %s and add to it', async (table) => {
  const { service_url } = keepUntilEnd(await freshDatabase());
  for (const statement of [
    `TRUNCATE ${table}`,
    `DELETE FROM ${table}`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
  ]) {
    await expect(askDatabase(service_url, statement)).rejects.toThrow(/permission denied|must be owner/);
  }
  expect(await askDatabase(service_url, `SELECT count(*)::int AS n FROM ${table}`)).toEqual([{ n: 0 }]);
});

describe('paydesk grant-role', () => {
  test('D-194 after migrate and grant-role, the role finds nothing to migrate and owns nothing', async () => {
    const { url } = keepUntilEnd(await emptyDatabase());
    const role = newRole();
    expect((await paydesk(['migrate'], url)).code).toBe(0);
    expect(await paydesk(['grant-role', role], url)).toEqual({
      code: 0,
      said: `Created the role ${role}, without a password.\nThe role ${role} may run the service. It owns nothing.`,
    });
    expect((await paydesk(['grant-role', role], url)).said).toBe(
      `The role ${role} may run the service. It owns nothing.`,
    );
    expect(await paydesk(['migrate'], as(url, role))).toEqual({ code: 0, said: 'The schema is up to date.' });
    expect(
      await askDatabase(url, `SELECT FROM pg_class WHERE pg_get_userbyid(relowner) = '${role}'`),
    ).toEqual([]);
    await expect(askDatabase(as(url, role), 'CREATE TABLE mine ()')).rejects.toThrow(/permission denied/);
    await expect(askDatabase(as(url, role), `DELETE FROM schema_migrations`)).rejects.toThrow(
      /permission denied/,
    );
  });

  test('D-194 the role is told in a sentence that it may not migrate, and gets its rights on new tables', async () => {
    const { url } = keepUntilEnd(await emptyDatabase());
    const role = newRole();
    await askDatabase(url, `CREATE ROLE ${role} LOGIN`);
    expect((await paydesk(['migrate'], as(url, role))).said).toMatch(
      /^The database lacks \d+ migration\(s\), and the role "role_\w+" may not change its schema/,
    );
    await migrate(url);
    await paydesk(['grant-role', role], url);
    // A migration of a later release.
    await askDatabase(
      url,
      `DELETE FROM schema_migrations WHERE version = 28; DROP TABLE api_requests;
      DROP TRIGGER user_wallet_lines_append_only ON user_wallet_lines;
      DROP TRIGGER posted_references_append_only ON posted_references;
      DROP TRIGGER ledger_transfers_no_truncate ON ledger_transfers; DROP TRIGGER audit_log_no_truncate ON audit_log;
      DROP TRIGGER seals_no_truncate ON seals; DROP TRIGGER user_wallet_lines_no_truncate ON user_wallet_lines;
      DROP TRIGGER posted_references_no_truncate ON posted_references; CREATE TABLE api_requests ()`,
    );
    expect(await paydesk(['migrate'], as(url, role))).toEqual({
      code: 1,
      said: `The database lacks 1 migration(s), and the role "${role}" may not change its schema: run "npx paydesk migrate" with the DATABASE_URL of the owner first.`,
    });
    expect((await paydesk(['migrate'], url)).said).toBe('Applied migrations: 28.');
    expect(await askDatabase(as(url, role), 'SELECT FROM api_requests')).toEqual([]);
    await expect(askDatabase(as(url, role), 'DELETE FROM user_wallet_lines')).rejects.toThrow(
      /permission denied/,
    );
  });

  test('D-194 a migration gives no right to a role that only reads, such as that of a backup', async () => {
    const { url } = keepUntilEnd(await emptyDatabase());
    const [reader, service] = [newRole(), newRole()];
    await migrate(url);
    await paydesk(['grant-role', service], url);
    await askDatabase(url, `CREATE ROLE ${reader}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`);
    const dir = await mkdtemp(join(tmpdir(), 'later-release-'));
    try {
      await cp(migrationsDir, dir, { recursive: true });
      await writeFile(join(dir, '9999_later.sql'), 'CREATE TABLE later ();');
      expect(await migrate(url, { dir })).toEqual([9999]);
    } finally {
      await rm(dir, { recursive: true });
    }
    const rights = (role: string): Promise<Record<string, unknown>[]> =>
      askDatabase(
        url,
        `SELECT has_table_privilege('${role}', 'later', 'SELECT') AS later,
          has_table_privilege('${role}', 'merchants', 'UPDATE') AS writes`,
      );
    expect(await rights(service)).toEqual([{ later: true, writes: true }]);
    expect(await rights(reader)).toEqual([{ later: false, writes: false }]);
  });

  test('D-194 names the tables on which the role lacks a right', async () => {
    const { url } = keepUntilEnd(await emptyDatabase());
    const role = newRole();
    await migrate(url);
    await paydesk(['grant-role', role], url);
    expect(await tablesWithoutRights(as(url, role))).toEqual([]);
    await askDatabase(url, `REVOKE INSERT ON merchants FROM ${role}; CREATE TABLE late ()`);
    expect(await tablesWithoutRights(as(url, role))).toEqual(['public.late', 'public.merchants']);
    await paydesk(['grant-role', role], url);
    expect(await tablesWithoutRights(as(url, role))).toEqual([]);
  });

  test('D-194 refuses an owner, a superuser, a stranger and a missing name', async () => {
    const { url, service_url } = keepUntilEnd(await freshDatabase());
    const member = newRole();
    const owner = newRole();
    await askDatabase(url, `CREATE ROLE ${owner}; CREATE ROLE ${member} LOGIN IN ROLE ${owner}`);
    await askDatabase(url, `CREATE TABLE other (); ALTER TABLE other OWNER TO ${owner}`);
    expect((await paydesk(['grant-role', 'paydesk'], url)).said).toMatch(/is a superuser/);
    expect((await paydesk(['grant-role', member], url)).said).toMatch(
      /owns tables, or is a member of their owner/,
    );
    expect((await paydesk(['grant-role'], url)).said).toMatch(/^One NAME is needed\./);
    expect((await paydesk(['grant-role', 'nobody_yet'], service_url)).said).toMatch(/may not create it/);
    expect((await paydesk(['grant-role', 'paydesk_service'], service_url)).said).toMatch(
      /does not own the tables/,
    );
    const without = newRole();
    await askDatabase(url, `CREATE ROLE ${without} LOGIN`);
    expect((await paydesk(['verify-ledger'], as(url, without))).said).toMatch(
      /^The role of DATABASE_URL lacks a right .*: run "npx paydesk grant-role NAME" with the address of the owner\.$/,
    );
  });
});
