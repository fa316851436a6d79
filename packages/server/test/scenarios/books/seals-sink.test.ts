import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { platformBook } from '../../../src/base/ids.ts';
import { type Database, sql } from '../../../src/base/pg/index.ts';
import { findSealFaults, openSink, type SealSink } from '../../../src/seals/index.ts';
import { addFacts, named, openSealedBooks, type SealedBooks } from '../../support/books/sealed-books.ts';

let books: SealedBooks;

beforeEach(async () => {
  books = await openSealedBooks();
  await books.seal();
  await books.publish();
  await addFacts(books, 'mp_2');
  await books.seal();
  await books.publish();
});

afterEach(async () => {
  await books.close();
});

const lastSeals = sql`DELETE FROM seals s WHERE seal_no = (
  SELECT max(seal_no) FROM seals l WHERE l.merchant_id = s.merchant_id)`;

/** Cuts off the last facts together with their seals. */
const cutTail = (): Promise<void> =>
  books.tamper(async (tx) => {
    await tx.query(lastSeals);
    await tx.query(sql`DELETE FROM ledger_transfers WHERE subject = 'mp_2'`);
    await tx.query(sql`DELETE FROM notifications WHERE order_no = 'mp_2'`);
    await tx.query(sql`DELETE FROM payment_quotes WHERE order_no = 'mp_2'`);
    await tx.query(sql`DELETE FROM audit_log WHERE audit_id = 'al_mp_2'`);
  });

describe('the outside sink shows losses that the database alone cannot show', () => {
  test('R-143 all heads are there, once each, and agree', async () => {
    expect(books.sink.lines).toHaveLength(2);
    expect(await books.findings()).toEqual([]);
  });

  test('R-143 facts that are cut off together with their seals', async () => {
    await cutTail();
    const found = await books.findings();
    expect(named(found)).toEqual(['seal_lost: seal 2']);
    expect(found[0]?.words).toMatch(
      /the head of seal 2, made at 2026-01-02T03:00:00\.000Z, and the database does not/,
    );
  });

  test('R-143 facts that are cut off and others sealed in their place', async () => {
    await cutTail();
    await addFacts(books, 'mp_3');
    await books.seal();
    expect(named(await books.findings())).toEqual(['seal_replaced: seal 2']);
  });

  test('heads that are missing in the sink, in the middle and at its end', async () => {
    const [first = '', second = ''] = books.sink.lines.splice(0);
    books.sink.lines.push(second);
    expect(named(await books.findings())).toEqual(['seal_sink_incomplete: seal 1']);
    books.sink.lines.splice(0, 1, first);
    expect(named(await books.findings())).toEqual(['seal_sink_incomplete: seal 2']);
  });

  test('a head that no key of ours has signed', async () => {
    books.sink.lines.push((books.sink.lines[1] ?? '').replace(/"seal_no":"2"/, '"seal_no":"3"'));
    expect(named(await books.findings())).toEqual(['seal_sink_forged: seal 3']);
  });

  test('R-143 a crash between seal and sink: the next pass sends what the sink lacks', async () => {
    await addFacts(books, 'mp_3');
    await books.seal();
    const broken: SealSink = { ...books.sink, append: () => Promise.reject(new Error('unreachable')) };
    await expect(books.publish(broken)).rejects.toThrow('unreachable');
    expect(books.sink.lines).toHaveLength(2);
    expect(await books.findings()).toEqual([]);
    await books.publish();
    expect(books.sink.lines).toHaveLength(3);
    // As after a crash between sending and noting it: a head twice is no fault.
    await books.tamper((tx) => tx.query(sql`UPDATE seal_sinks SET seal_no = 2 WHERE sink = 'memory'`));
    await books.publish();
    expect(books.sink.lines).toHaveLength(4);
    expect(await books.findings()).toEqual([]);
  });
});

describe('a file as the sink', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seals-'));
  });
  afterAll(async () => {
    await rm(dir, { recursive: true });
  });

  test('is appended to and read back; half a line of a process that died does no harm', async () => {
    const path = join(dir, 'heads.jsonl');
    const sink = openSink(pathToFileURL(path).href);
    const check = () => findSealFaults(books.db, { ...books, box: books.box(), sink });
    expect(await check()).toEqual([]);
    await books.publish(sink);
    expect(await check()).toEqual([]);
    const whole = await readFile(path, 'utf8');
    expect(whole.trim().split('\n')).toEqual(books.sink.lines);
    await truncate(path, whole.length - 20);
    expect(named(await check())).toEqual(['seal_sink_incomplete: seal 2']);
    await sink.append(books.sink.lines.slice(1));
    expect(await check()).toEqual([]);
    await writeFile(path, '');
    expect(named(await check())).toEqual(['seal_sink_incomplete: seal 1']);
  });
});

describe('an address as the sink', () => {
  let server: Server;
  let url: string;
  let status: number;
  const received: string[] = [];
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      void text(request).then((body) => {
        if (request.method === 'POST' && status === 200) received.push(body);
        response.writeHead(status).end(request.method === 'GET' ? received.join('') : '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://keeper:s%C3%A4fe@127.0.0.1:${(server.address() as AddressInfo).port}/heads`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('is posted to and read back under its password, which stands nowhere else', async () => {
    status = 200;
    const sink = openSink(url);
    await books.publish(sink);
    expect(received.join('').trim().split('\n')).toEqual(books.sink.lines);
    const check = () => findSealFaults(books.db, { ...books, box: books.box(), sink });
    expect(await check()).toEqual([]);
    expect(new Set(asked)).toEqual(new Set([`Basic ${Buffer.from('keeper:säfe').toString('base64')}`]));
    const rows = await books.db.query(sql`SELECT sink FROM seal_sinks WHERE sink LIKE 'http%'`);
    expect(JSON.stringify(rows)).not.toContain('keeper');
    await cutTail();
    expect(named(await check())).toEqual(['seal_lost: seal 2']);
  });

  test('D-1106 is read for as long as lines come, however slowly they are taken, and no longer', async () => {
    const lines = ['1', '2', '3', '4', '5', '6'];
    const slow = createServer((_request, response) => {
      const send = setInterval(() => {
        const line = lines.shift();
        if (line === undefined) clearInterval(send);
        else response.write(`${line}\n`);
      }, 350);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const read: string[] = [];
    let outcome = 'still reads';
    void (async () => {
      for await (const line of openSink(`http://127.0.0.1:${port}/heads`, 1_500).read()) {
        read.push(line);
        if (line === '1') await pause(1_750);
      }
    })().then(
      () => (outcome = 'has ended'),
      () => (outcome = 'has failed'),
    );
    await expect.poll(() => outcome).toBe('has failed');
    expect(read).toEqual(['1', '2', '3', '4', '5', '6']);
    slow.closeAllConnections();
    slow.close();
  });

  test('D-1106 is left at once by a reader that fails', async () => {
    let left = false;
    const endless = createServer((_request, response) => {
      response.on('close', () => (left = true)).write('1\n');
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const { port } = endless.address() as AddressInfo;
    for await (const line of openSink(`http://127.0.0.1:${port}/heads`).read()) {
      expect(line).toBe('1');
      break;
    }
    await expect.poll(() => left, { timeout: 20_000 }).toBe(true);
    await new Promise((resolve) => endless.close(resolve));
  });

  test('D-1117 is not at fault where the database fails while heads are compared', async () => {
    const query: Database['query'] = (asked) =>
      asked.text.includes('FROM seals') ? Promise.reject(new Error('away')) : books.db.query(asked);
    const db = Object.create(books.db, { query: { value: query } }) as Database;
    const check = findSealFaults(db, { ...books, box: books.box(), sink: books.sink });
    await expect(check).rejects.toThrow('away');
  });

  test('that refuses or cannot be read is a finding, and nothing counts as sent', async () => {
    status = 500;
    const sink = openSink(url.replace('/heads', '/other'));
    await expect(books.publish(sink)).rejects.toThrow('answers 500');
    const found = await findSealFaults(books.db, { ...books, box: books.box(), sink });
    expect(named(found)).toEqual(['seal_sink_unreadable: sink']);
    const rows = await books.db.query(sql`SELECT 1 FROM seal_sinks WHERE sink LIKE '%/other'`);
    expect(rows).toEqual([]);
  });
});

test('the platform’s chain has one head for each pass', async () => {
  const chains = await books.db.query<{ merchant_id: string }>(
    sql`SELECT merchant_id FROM seals WHERE merchant_id = ${platformBook}`,
  );
  expect(chains).toHaveLength(2);
});
