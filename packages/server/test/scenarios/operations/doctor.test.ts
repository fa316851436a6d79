import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { createChannel } from '../../../src/channels/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { readConnectionRoom } from '../../../src/cli/shared/connection-room.ts';
import { setCurrency } from '../../../src/currencies/index.ts';
import { sampleChannel } from '../../support/desks/samples.ts';
import {
  askDatabase,
  emptyDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';

let database: TestDatabase | undefined;
afterEach(async () => {
  await database?.drop();
  database = undefined;
});

/** Runs `paydesk doctor` on this database; its lines by what they are about. */
async function doctor(
  url: string,
  env: Record<string, string> = {},
): Promise<{ code: number; text: string; about: Map<string, string> }> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const code = await runCommand(['doctor'], {
    DATABASE_URL: url,
    PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    PAYDESK_PUBLIC_URL: 'http://127.0.0.1:1',
    ...env,
  });
  spy.mockRestore();
  const about = new Map(
    lines.map((line) => [line.slice(6, 22).trim(), `${line.slice(0, 5).trim()}: ${line.slice(23)}`]),
  );
  return { code, text: lines.join('\n'), about };
}

describe('paydesk doctor on a database', () => {
  test('that is not migrated: it says so, and what it could not check', async () => {
    database = await emptyDatabase();
    const { code, about } = await doctor(database.url);
    expect(code).toBe(1);
    expect(about.get('database')).toMatch(/^ok: PostgreSQL \d+/);
    expect(about.get('schema')).toBe(
      'fail: The database is not migrated: run "npx paydesk migrate" with the DATABASE_URL of the owner.',
    );
    expect(about.get('not checked')).toMatch(/^warn: /);
  });

  test('that was never served: it fits, and nothing fails', async () => {
    database = await freshDatabase();
    const { code, text, about } = await doctor(database.url);
    expect(
      text.split('\n').filter((line) => /^fail .*(database|schema|key|clock|rights)/.test(line)),
    ).toEqual([]);
    for (const what of ['extensions', 'connections', 'clock', 'rights', 'open files', 'disk', 'node']) {
      expect(about.get(what)).toMatch(/^(ok|warn|fail): /);
    }
    expect(about.get('schema')).toBe('ok: It fits this release.');
    expect(about.get('key')).toBe('warn: The service has not been started yet.');
    expect(about.get('webhook secret')).toBe('warn: There is no enabled card channel.');
    expect(about.get('public address')).toMatch(/^warn: .* Is the service running\?$/);
    expect(code).toBe(/^fail/m.test(text) ? 1 : 0);
  });

  test('D-915 with a currency that the card provider counts with other decimals: it names it', async () => {
    database = await freshDatabase();
    const db = openDatabase({ url: database.url, max: 2 });
    await db.transaction(async (tx) => {
      await createChannel(tx, sampleChannel({ supported_currencies: ['JPY', 'USD'] }));
      const limits = { enabled: true, min_minor: 1n, max_minor: 1_000n };
      for (const code of ['JPY', 'USD']) await setCurrency(tx, { code, decimals: 2, ...limits });
    });
    await db.close();
    const { about, text } = await doctor(database.url);
    expect(about.get('currency')).toMatch(/^fail: JPY has 2 decimals, .* no card can pay it\.$/);
    expect(text).not.toContain('USD has');
  });

  test('D-643 that takes no writes: it says so', async () => {
    database = await emptyDatabase();
    const url = `${database.url}?options=-c%20default_transaction_read_only%3Don`;
    const { about } = await doctor(url);
    expect(about.get('database')).toMatch(/^fail: It takes no writes: default_transaction_read_only is on/);
    const said = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => {
      said.mockRestore();
    });
    expect(await runCommand(['migrate'], { DATABASE_URL: url })).toBe(1);
    const sentence =
      /^The database of DATABASE_URL takes no writes \(.*\): wait until its restore has ended, or /;
    expect(said.mock.calls).toEqual([[expect.stringMatching(sentence)]]);
  });

  test('D-1302 whose system sorts texts otherwise than when its indexes were made: it says what to run', async () => {
    database = await freshDatabase();
    expect((await doctor(database.url)).about.has('collation')).toBe(false);
    // As after an upgrade of the system under the data.
    await askDatabase(
      database.url,
      "UPDATE pg_database SET datcollversion = '0.9' WHERE datname = current_database()",
    );
    const { code, about } = await doctor(database.url);
    expect(code).toBe(1);
    expect(about.get('collation')).toMatch(
      /^fail: The indexes of texts were made with version 0\.9 of the collation, and .* has (none|version \S+) now, so/,
    );
    const name = new URL(database.url).pathname.slice(1);
    await askDatabase(database.url, `ALTER DATABASE "${name}" REFRESH COLLATION VERSION`);
    expect((await doctor(database.url)).about.has('collation')).toBe(false);
  });

  test('D-1441 that its role may not read: it says what to run', async () => {
    database = await freshDatabase();
    const role = new URL(database.service_url).username;
    await askDatabase(database.url, `REVOKE SELECT ON schema_migrations FROM "${role}"`);
    const { about } = await doctor(database.service_url);
    expect(about.get('schema')).toMatch(
      /^fail: The role of DATABASE_URL lacks a right \(.*\): run "npx paydesk grant-role NAME" with the address/,
    );
  });

  test('D-1469 that has a limit of its own: it says so, and counts the connections of other roles', async () => {
    database = await freshDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await askDatabase(database.url, `ALTER DATABASE ${name} CONNECTION LIMIT 12`);
    const { about } = await doctor(database.service_url);
    expect(about.get('connections')).toMatch(
      /^warn: The database may have 12, \d+ in use; each process opens up to 23\. Lower .* raise its CONNECTION LIMIT\.$/,
    );
    const other = openDatabase({ url: database.url, max: 1 });
    onTestFinished(() => other.close());
    await other.query(sql`SELECT 1`);
    // Of another role's connections this one may read little, but counts them.
    const room = await readConnectionRoom(database.service_url);
    expect([room.whose, room.allowed, room.used > 0]).toEqual(['The database', 12, true]);
  });

  test('D-1475 whose traffic is held: it says so', async () => {
    database = await freshDatabase();
    expect((await doctor(database.url)).about.has('traffic hold')).toBe(false);
    await askDatabase(
      database.url,
      "INSERT INTO traffic_holds (singleton, held_at, reason) VALUES (true, '2026-11-23T01:30:00Z', 'a restore')",
    );
    const { code, about } = await doctor(database.url);
    expect(code).toBe(1);
    expect(about.get('traffic hold')).toBe(
      'fail: Traffic is held since 2026-11-23T01:30:00.000Z: a restore. See docs/operating/restore.md.',
    );
  });

  test('D-644 that lacks a migration: it says what to run', async () => {
    database = await freshDatabase();
    await askDatabase(database.url, 'DELETE FROM schema_migrations WHERE version = 100');
    const { about } = await doctor(database.url);
    expect(about.get('schema')).toBe(
      'fail: The schema lacks migration(s) 100, which this process needs: run "npx paydesk migrate".',
    );
  });

  test('with places outside: it says which of them take lines, and writes nothing there', async () => {
    database = await emptyDatabase();
    const seen: string[] = [];
    const sink = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization === undefined ? 'nobody' : 'somebody'}`);
      response.writeHead(request.headers.authorization === undefined ? 401 : 405).end();
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const { port } = sink.address() as AddressInfo;
    const home = await temporaryDirectory('doctor');
    const shown = async (env: Record<string, string>, about: string) =>
      (await doctor(database?.url ?? '', env)).about.get(about);
    const named = { PAYDESK_AUDIT_SINK: `http://name:secret@127.0.0.1:${port}/lines` };
    expect(await shown(named, 'audit sink')).toBe(`ok: http://127.0.0.1:${port} answers (HTTP 405).`);
    expect(await shown({ PAYDESK_SEAL_SINK: `http://127.0.0.1:${port}/` }, 'seal sink')).toMatch(
      /^fail: .* refuses name and password \(401\)\.$/,
    );
    expect(await shown({ PAYDESK_AUDIT_SINK: 'syslog+tls://127.0.0.1:9' }, 'audit sink')).toMatch(
      /^fail: syslog\+tls:\/\/127\.0\.0\.1:9 cannot be reached: connect ECONNREFUSED/,
    );
    const file = join(home.path, 'lines.jsonl');
    const at = (path: string) => shown({ PAYDESK_NOTIFICATION_ARCHIVE: pathToFileURL(path).href }, 'archive');
    expect(await at(file)).toBe(`ok: ${file} can be made.`);
    await writeFile(file, '');
    expect(await at(file)).toBe(`ok: ${file} can be written.`);
    expect(await at(home.path)).toMatch(/^fail: .* cannot be written: it is no file\.$/);
    expect(await at(join(home.path, 'no', 'where'))).toMatch(/^fail: .* cannot be written: ENOENT/);
    expect([...new Set(seen)]).toEqual(['HEAD somebody', 'HEAD nobody']);
    await new Promise((resolve) => sink.close(resolve));
    await home.remove();
  });
});
