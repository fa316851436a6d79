import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/desks/service.ts';
import { memoryDirectory, type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { blocksOf, inlineCodeOf, readPage } from '../../support/rules/guide.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { type GuideMachine, openGuideMachine } from '../../support/servers/guide-machine.ts';
import { freePort } from '../../support/servers/ports.ts';

/** The guide of the restore, as it stands, on a server of its own. The drill `restore` has the rest: Paydesk under load. */

const page = readPage('docs/operating/restore.md');
const blocks = blocksOf(page);

let home: TemporaryDirectory;
let machine: GuideMachine;
let url: string;
/** Times before and after the first mistake. */
let early: string;
let late: string;

beforeAll(async () => {
  home = await temporaryDirectory('restore-guide', await memoryDirectory());
  machine = await openGuideMachine(home.path, 'own');
  url = `postgresql://postgres@127.0.0.1:${machine.port}/postgres`;
  await shell(`mkdir -p /backup/wal /var/lib/postgresql
    initdb --pgdata=/var/lib/postgresql/data --username=postgres --auth=trust --no-sync
    cat >> /var/lib/postgresql/data/postgresql.conf <<'CONF'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
${guideHas('archive_command')}
CONF
    pg_ctl --pgdata=/var/lib/postgresql/data --log=/var/lib/postgresql/first.log start`);
});
afterAll(async () => {
  for (const name of ['standby', 'data']) {
    await shell(`pg_ctl --pgdata=/var/lib/postgresql/${name} --mode=immediate stop || true`);
  }
  await home.remove();
});

function guideHas(words: string): string {
  const block = blocks.find(({ text }) => text.includes(words));
  if (block === undefined) throw new Error(`the guide has no block with ${words}`);
  return block.text;
}

/** Follows the guide to this time, with one more line among the settings, and waits until the server takes writes. */
async function restoreTo(at: string, setting = ''): Promise<void> {
  const today = /\d{4}-\d\d-\d\d/.exec(await shell('ls /backup/'))?.[0] ?? '';
  await shell(
    guideHas('recovery.signal')
      .replaceAll('2026-11-22', today)
      .replaceAll('2026-11-23 01:30:00+00', at)
      .replace('\nCONF', `\n${setting}\nCONF`),
  );
  await eventually(
    () => shell(guideHas('pg_is_in_recovery')),
    (answer) => answer === 'f',
  );
}

const shell = (text: string): Promise<string> => machine.shell(text, { DATABASE_URL: url, ADMIN_URL: url });

const now = async (): Promise<string> => {
  const [row] = await askDatabase<{ at: string }>(url, 'SELECT clock_timestamp()::text AS at');
  return row?.at ?? '';
};

const rows = async (from: string): Promise<string[]> =>
  (await askDatabase<{ name: string }>(from, 'SELECT name FROM kept ORDER BY name')).map(({ name }) => name);

test('D-1316 the guide of the restore leads to the named time, and to a server that a standby can follow', async () => {
  await askDatabase(url, `CREATE TABLE kept (name text)`);
  await shell(guideHas('pg_basebackup'));
  await askDatabase(url, `INSERT INTO kept VALUES ('before')`);
  early = await now();
  await askDatabase(url, `INSERT INTO kept VALUES ('mistake')`);
  late = await now();
  await askDatabase(url, `INSERT INTO kept VALUES ('worse')`);

  await restoreTo(early);
  expect(await rows(url)).toEqual(['before']);
  await shell(guideHas('ALTER SYSTEM RESET'));

  const standby = await freePort();
  await shell(`pg_basebackup --pgdata=/var/lib/postgresql/standby --checkpoint=fast --write-recovery-conf
    pg_ctl --pgdata=/var/lib/postgresql/standby --options='-p ${standby}' --log=/var/lib/postgresql/standby.log start`);
  await askDatabase(url, `INSERT INTO kept VALUES ('later')`);
  const followed = url.replace(String(machine.port), String(standby));
  await eventually(
    async () => [
      (await rows(followed)).length,
      (await askDatabase<{ is: boolean }>(followed, 'SELECT pg_is_in_recovery() AS is'))[0]?.is,
    ],
    ([seen, follows]) => seen === 2 || follows === false,
  );
  expect(await rows(followed)).toEqual(['before', 'later']);
  expect(await askDatabase(followed, 'SELECT pg_is_in_recovery() AS follows')).toEqual([{ follows: true }]);
});

test('D-1318 a second try from the same backup reaches a later time than the first one', async () => {
  await shell('mv /var/lib/postgresql/before-restore /var/lib/postgresql/before-all');
  await restoreTo(
    late,
    inlineCodeOf(page).find((code) => code.startsWith('recovery_target_timeline')),
  );
  expect(await rows(url)).toEqual(['before', 'mistake']);
});
