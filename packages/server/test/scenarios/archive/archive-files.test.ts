import {
  appendFile,
  copyFile,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { hours, later } from '../../../src/base/time/clock.ts';
import { publicKeyPem } from '../../../src/seals/index.ts';
import { readArchive, settledUntil } from '../../../src/seals/archive/index.ts';
import { type ArchiveDesk, filesIn, newFolder, openArchiveDesk } from '../../support/books/archive-desk.ts';
import type { Order } from '../../support/desks/platform.ts';
import { commandOn } from '../../support/run/run-command.ts';
import type { Json } from '../../support/desks/service.ts';
import { openSealedBooks } from '../../support/books/sealed-books.ts';
import { startSource } from '../../support/run/source-process.ts';

let at: ArchiveDesk;
let folder: string;

beforeAll(async () => {
  at = await openArchiveDesk();
});
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => at.stop());

const manifestOf = async (): Promise<Json[]> =>
  (await readFile(join(folder, 'manifest.jsonl'), 'utf8'))
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Json] : []));

const filesOf = (): Promise<string[]> => filesIn(folder);

const linesOf = async (file: string): Promise<string[]> =>
  gunzipSync(await readFile(join(folder, file)))
    .toString('utf8')
    .trimEnd()
    .split('\n');

const run = (...args: string[]) => commandOn(at.desk.service, ...args);

/** Sealed orders that are closed. */
async function closed(count: number): Promise<Order[]> {
  const orders: Order[] = [];
  while (orders.length < count) orders.push(await at.byPtk());
  await at.sealAll();
  return orders;
}

describe('D-475 a run that is killed at any step', () => {
  const step = fileURLToPath(new URL('../../support/books/archive-run.ts', import.meta.url));
  const killedAt = async (name: string): Promise<void> => {
    const { database } = at.desk.service;
    const child = startSource(step, [database.url, folder, name]);
    expect([await child.exited, child.errors()]).toEqual([name === '' ? 0 : null, '']);
  };

  test('loses nothing and doubles nothing', async () => {
    const orders = await closed(6);
    for (const name of ['named', 'listed', 'batch', 'taken', '']) {
      await killedAt(name);
      expect(await at.findings()).toEqual([]);
      const { events } = await at.rowsOf(...orders);
      const lines = (await Promise.all((await filesOf()).map(linesOf))).flat();
      const filed = new Set(
        lines.flatMap((line) => /"kind":"event","key":"([^}]+)","row"/.exec(line)?.[1] ?? []),
      );
      // What left is in a file, and what did not may be in one, too.
      expect(filed.size).toBeGreaterThanOrEqual(12 - events);
    }
    expect(await at.rowsOf(...orders)).toEqual({ events: 0, quotes: 6 });
    const lines = (await Promise.all((await filesOf()).map(linesOf))).flat();
    const rows = lines.filter((line) => line.startsWith('{"fact"'));
    expect([rows.length, new Set(rows).size]).toEqual([18, 18]);
    const entries = await manifestOf();
    expect(entries.filter(({ file }) => file !== undefined)).toHaveLength(3);
    expect(new Set(entries.flatMap(({ taken }) => taken ?? [])).size).toBe(3);
  }, 600_000);
});

test('D-475 half a line of the manifest and half a file are passed over', async () => {
  await closed(1);
  await at.archived(folder);
  const [order] = await closed(1);
  await appendFile(join(folder, 'manifest.jsonl'), '{"file":"mr_');
  await writeFile(join(folder, 'mr_x-y.jsonl.gz.part'), 'half');
  expect(await at.archived(folder)).toMatchObject({ orders: 1, files: 1 });
  expect(await at.rowsOf(order as Order)).toMatchObject({ events: 0 });
  expect((await manifestOf()).filter(({ file }) => file !== undefined)).toHaveLength(2);
});

test('D-1392 what a run had begun to write when it died is removed after a day', async () => {
  const half = async (hours_ago: number): Promise<string> => {
    const name = `mr_${'0'.repeat(26)}-${String(hours_ago).padStart(26, '0')}.jsonl.gz.part`;
    await writeFile(join(folder, name), 'half');
    const written = later(at.clock.now(), -hours(hours_ago));
    await utimes(join(folder, name), written, written);
    return name;
  };
  await half(25);
  const young = await half(23);
  await writeFile(join(folder, 'mine.part'), 'mine');
  await utimes(join(folder, 'mine.part'), 0, 0);
  await closed(1);
  expect(await at.archived(folder)).toMatchObject({ orders: 1, files: 1 });
  const left = (await readdir(folder)).filter((name) => name.endsWith('.part'));
  expect(left.sort()).toEqual(['mine.part', young]);
});

test('D-475 a file that is damaged before its rows were deleted deletes nothing', async () => {
  const [order] = await closed(1);
  const stop = (name: string): void => {
    if (name === 'listed') throw new Error('stopped');
  };
  await expect(at.archived(folder, { step: stop })).rejects.toThrow('stopped');
  const [file = ''] = await filesOf();
  const whole = await linesOf(file);
  await copyFile(join(folder, file), join(folder, 'kept'));
  await writeFile(join(folder, file), gzipSync(whole.map((line) => `${line}\n`).join(''), { level: 1 }));
  await expect(at.archived(folder)).rejects.toThrow(/is not the one that the manifest names/);
  await writeFile(join(folder, file), gzipSync(`${whole.slice(0, -1).join('\n')}\n`));
  await expect(at.archived(folder)).rejects.toThrow(
    /is damaged, and none of its rows was deleted now: the file has no end/,
  );
  await writeFile(join(folder, file), 'no gzip');
  await expect(at.archived(folder)).rejects.toThrow(/cannot be decompressed/);
  expect(await at.rowsOf(order as Order)).toEqual({ events: 2, quotes: 2 });
  await copyFile(join(folder, 'kept'), join(folder, file));
  expect(await at.archived(folder)).toMatchObject({ orders: 1 });
});

test('D-475 two runs at once move each row once', async () => {
  const orders = await closed(6);
  const sums = await Promise.all([1, 2, 3].map((file_size) => at.archived(folder, { file_size })));
  expect(sums.reduce((all, sum) => all + sum.orders, 0)).toBe(6);
  expect(await at.rowsOf(...orders)).toEqual({ events: 0, quotes: 6 });
  expect(await at.findings()).toEqual([]);
  expect(await at.archived(folder)).toMatchObject({ orders: 0, left_alone: 0 });
});

test('D-475 with a database that is older than the folder, rows leave again for another file', async () => {
  const [order] = await closed(1);
  const stop = (name: string): void => {
    if (name === 'listed') throw new Error('stopped');
  };
  await expect(at.archived(folder, { step: stop })).rejects.toThrow('stopped');
  const [file = ''] = await filesOf();
  await appendFile(join(folder, 'manifest.jsonl'), `${JSON.stringify({ taken: file, orders: 1 })}\n`);
  expect(await at.rowsOf(order as Order)).toEqual({ events: 2, quotes: 2 });
  expect(await at.archived(folder)).toMatchObject({ orders: 1, files: 1 });
  expect(await filesOf()).toHaveLength(2);
  expect(await at.rowsOf(order as Order)).toEqual({ events: 0, quotes: 1 });
  expect(await at.findings()).toEqual([]);
});

test('D-475 a file that names a later day than the run lets younger orders stay', async () => {
  const [order] = await closed(1);
  const stop = (name: string): void => {
    if (name === 'listed') throw new Error('stopped');
  };
  await expect(at.archived(folder, { step: stop })).rejects.toThrow('stopped');
  expect(await at.archived(folder, { before: new Date(0) })).toMatchObject({ orders: 0, left_alone: 1 });
  expect(await at.rowsOf(order as Order)).toEqual({ events: 2, quotes: 2 });
  expect(await at.archived(folder)).toMatchObject({ orders: 1 });
});

describe('D-475 what else is in the folder', () => {
  test('other files are not changed', async () => {
    await closed(1);
    await writeFile(join(folder, 'holidays.jsonl.gz'), 'photos');
    await symlink('/dev/zero', join(folder, 'zero.jsonl.gz'));
    expect(await at.archived(folder)).toMatchObject({ orders: 1, files: 1 });
    expect(await readFile(join(folder, 'holidays.jsonl.gz'), 'utf8')).toBe('photos');
  });

  test('a link is followed neither for the manifest nor for a file of it', async () => {
    const [order] = await closed(1);
    const elsewhere = join(await newFolder(), 'elsewhere');
    await writeFile(elsewhere, 'mine');
    await symlink(elsewhere, join(folder, 'manifest.jsonl'));
    await expect(at.archived(folder)).rejects.toThrow(/manifest of .* cannot be read: it is a link/);
    expect(await readFile(elsewhere, 'utf8')).toBe('mine');
    await rm(join(folder, 'manifest.jsonl'));
    const swap = async (name: string): Promise<void> => {
      if (name !== 'listed') return;
      const path = join(folder, (await filesOf())[0] ?? '');
      await rename(path, elsewhere);
      await symlink(elsewhere, path);
    };
    await expect(at.archived(folder, { step: swap })).rejects.toThrow(/cannot be read: it is a link/);
    expect(await at.rowsOf(order as Order)).toEqual({ events: 2, quotes: 2 });
    expect(await at.archived(await newFolder())).toMatchObject({ orders: 1 });
  });

  test('a folder that cannot be written moves nothing', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(at.archived(file)).rejects.toThrow(/cannot be written \(EEXIST\)\. No row was deleted/);
  });
});

test('D-479 the command moves nothing while a finding of the books stands', async () => {
  const [order] = await closed(1);
  const of = sql`WHERE merchant_id = ${at.merchant_id} AND order_no = ${order?.order_no ?? ''} AND status_version = 1`;
  const [event] = await at.db.query<{ url: string }>(sql`SELECT url FROM notifications ${of}`);
  const send = (url: string) => at.db.query(sql`UPDATE notifications SET url = ${url} ${of}`);
  const archive = () => run('archive', '--before', '2020-01-01', '--to', folder);
  await send('https://evil.example/');
  expect(await at.findings()).not.toEqual([]);
  const { code, out } = await archive();
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^Nothing was moved, and the books do not balance: /),
  ]);
  await send(event?.url ?? '');
  expect(await at.findings()).toEqual([]);
  expect((await archive()).code).toBe(0);
  expect(await at.archived(folder)).toMatchObject({ orders: 1 });
});

describe('D-476 outsiders verify an archive with only the public key', () => {
  const pem = (): string => join(folder, 'key.pem');
  const books = (): string => join(folder, 'books.jsonl');
  const verify = (...args: string[]) => run('verify-export', ...args, '--public-key', pem());

  test('the books are whole with the archive, and not without it', async () => {
    const [order] = await closed(2);
    const sum = await at.archived(folder);
    expect(sum).toMatchObject({ orders: 2, events: 4, quotes: 2 });
    await at.sealAll();
    expect((await run('export-books', '--out', books(), '--public-key-out', pem())).code).toBe(0);
    const alone = await verify(books());
    expect(alone.code).toBe(1);
    expect(alone.out).toContain(`quote ["${order?.order_no ?? ''}",`);
    // Rows that earlier tests have moved are in their own folders.
    const missing = alone.out.split('\n').filter((line) => line.endsWith('and is missing')).length;
    const together = await verify(books(), '--archive', folder);
    expect(together.out.split('\n').filter((line) => line.endsWith('and is missing'))).toHaveLength(
      missing - 6,
    );
    expect(together.out).toMatch(/, 6 rows in the archive\.$/);

    const [file = ''] = await filesOf();
    expect(await verify(join(folder, file))).toEqual({
      code: 0,
      out: 'The file is whole: 2 orders with 6 rows.',
    });
    await writeFile(join(folder, file), gzipSync('{}\n'));
    const changed = await verify(books(), '--archive', folder);
    expect(changed.out).toContain(`${file}: it is not the file that the manifest names`);
    expect((await verify(join(folder, file))).out).toContain('line 1 is not a line of an archive');
    await rm(join(folder, file));
    expect((await verify(books(), '--archive', folder)).out).toMatch(/jsonl\.gz cannot be read/);
  });

  test('each row that is changed, removed or added in a file is found', async () => {
    await closed(1);
    await at.archived(folder);
    const [file = ''] = await filesOf();
    const lines = await linesOf(file);
    const key = (await publicKeyPem(at.db, null)) ?? '';
    const faultsOf = (changed: readonly string[]): string[] => {
      const found: string[] = [];
      readArchive(changed, key, (words) => void found.push(words));
      return found;
    };
    expect(faultsOf(lines)).toEqual([]);
    const places = lines.flatMap((line, i) => (line.startsWith('{"fact"') ? [i] : []));
    expect(places).toHaveLength(3);
    const wrong = (i: number, ...by: string[]): string[] =>
      faultsOf([...lines.slice(0, i), ...by, ...lines.slice(i + 1)]);
    for (const i of places) {
      const line = lines[i] ?? '';
      expect(wrong(i, line.replace(/"(created_at|subtotal)":"\d/, '"$1":"77')).join()).toContain(
        'was changed',
      );
      expect(wrong(i).join()).toMatch(/is missing/);
      expect(
        wrong(
          i,
          line,
          line.replaceAll('"order_no":"', '"order_no":"x').replaceAll('"event_id":"', '"event_id":"x'),
        ).join(),
      ).toMatch(/it was added/);
    }
    const seal = lines.findIndex((line) => line.startsWith('{"seal"'));
    expect(
      wrong(
        seal,
        (lines[seal] ?? '').replace(
          /"signature":"(..)/,
          (_, first: string) => `"signature":"${first === '00' ? '11' : '00'}`,
        ),
      ).join(),
    ).toMatch(/signature is wrong/);
    expect(wrong(seal, (lines[seal] ?? '').replace('"entries":"', '"entries":"x')).join()).toMatch(
      /list of rows was changed/,
    );
    const order = lines.findIndex((line) => line.startsWith('{"order"'));
    for (const member of ['order_no', 'events', 'confirmed', 'order_digest', 'method_ids']) {
      const without = (lines[order] ?? '').replace(`"${member}":`, '"other":');
      expect(wrong(order, without).join()).toMatch(/is not a line of an archive/);
    }
    expect(faultsOf(lines.slice(0, -1)).join()).toMatch(/has no end/);
  });
});

describe('D-477 paydesk archive', () => {
  test('counts without a change, and refuses a day that is too near', async () => {
    const orders = await closed(1);
    expect(await at.findings()).toEqual([]);
    const dry = await run('archive', '--before', '2020-01-01', '--dry-run');
    expect(dry.out).toBe('0 orders with 0 events and 0 unused quotes would leave. Nothing was changed.');
    expect(await at.archived(folder, { step: () => undefined, before: new Date(0) })).toMatchObject({
      orders: 0,
    });
    const near = await run('archive', '--before', '10d', '--to', folder);
    expect(near.code).toBe(2);
    expect(near.out).toContain('--before must be 540 days ago or more');
    expect(await at.rowsOf(...orders)).toEqual({ events: 2, quotes: 2 });
    const empty = await run('archive', '--before', '130d', '--chargeback-days', '120', '--to', folder);
    expect(empty).toEqual({
      code: 0,
      out: `0 orders with 0 events and 0 unused quotes are in 0 files of ${folder}.`,
    });
  });

  test.each([
    [[], 'archive needs --before DATE.'],
    [['--before', '2020-01-01'], 'archive needs --to DIR.'],
    [
      ['--before', '2020-01-01', '--to', 'x', '--chargeback-days', '119'],
      '--chargeback-days must be a number from 120.',
    ],
    [['--show', 'mp_1'], 'archive --show needs --from DIR.'],
  ])('%j is wrong usage', async (args, words) => {
    const { code, out } = await run('archive', ...args);
    expect(code).toBe(2);
    expect(out).toContain(words);
  });

  test('only what a check has verified and the sink has is settled', async () => {
    const books = await openSealedBooks();
    await books.seal();
    const { db, sink } = books;
    expect(await settledUntil(db, 0n, null)).toBeNull();
    expect(await settledUntil(db, 1n, sink.name)).toBeNull();
    expect(await settledUntil(db, 1n, null)).toEqual(books.clock.now());
    await books.publish();
    expect(await settledUntil(db, 1n, sink.name)).toEqual(books.clock.now());
    await books.close();
  });

  test('D-1414 prints the rows of the file with which an order left, not of an older one that it did not leave with', async () => {
    const [order] = (await closed(1)) as [Order];
    const stop = (name: string): void => {
      if (name === 'listed') throw new Error('stopped');
    };
    await expect(at.archived(folder, { step: stop })).rejects.toThrow('stopped');
    const [first] = await filesOf();
    expect((await at.shop.refund(order)).status).toBeLessThan(300);
    await at.told(await at.shop.until(order, 'refunded'));
    await at.sealAll();
    await at.archived(folder);
    const { out } = await run('archive', '--show', order.order_no, '--from', folder);
    const { file, rows } = JSON.parse(out) as { file: string; rows: Json[] };
    expect(file).not.toBe(first);
    expect(rows.filter(({ kind }) => kind === 'event')).toHaveLength(3);
  });

  test('D-1415 a folder that is no archive is named, not taken for an empty one', async () => {
    const none = join(folder, 'none');
    const missing = `There is no archive in ${none}: its manifest cannot be read (ENOENT).`;
    expect(await run('archive', '--show', 'mp_1', '--from', none)).toEqual({ code: 1, out: missing });
    const pem = join(folder, 'keys.pem');
    await writeFile(pem, (await publicKeyPem(at.db, null)) ?? '');
    const books = join(folder, 'books.jsonl');
    await writeFile(books, '');
    const { code, out } = await run('verify-export', books, '--public-key', pem, '--archive', none);
    expect([code, out]).toEqual([1, missing]);
  });

  test('prints what the archive has of an order', async () => {
    const [order] = await closed(1);
    await at.archived(folder);
    const { code, out } = await run('archive', '--show', order?.order_no ?? '', '--from', folder);
    const shown = JSON.parse(out) as { file: string; order: Json; rows: Json[] };
    expect(code).toBe(0);
    expect([shown.file]).toEqual(await filesOf());
    expect(shown.order).toMatchObject({ order_no: order?.order_no, confirmed: true });
    expect(shown.rows.map(({ kind }) => kind).sort()).toEqual(['event', 'event', 'quote']);
    const unknown = await run('archive', '--show', 'mp_unknown', '--from', folder);
    expect(unknown).toEqual({ code: 1, out: `The archive in ${folder} has no order mp_unknown.` });
    await writeFile(join(folder, shown.file), gzipSync('{}\n'));
    const changed = await run('archive', '--show', order?.order_no ?? '', '--from', folder);
    expect(changed.out).toBe(`The file ${shown.file} is not the one that the manifest names.`);
  });
});
