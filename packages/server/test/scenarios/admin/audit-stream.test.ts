/** The audit trail outside the database: verified against its seals, and streamed to a file, syslog or an address. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTls } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemIds } from '../../../src/base/ids.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { type Database, sql } from '../../../src/base/pg/index.ts';
import { minutes, seconds } from '../../../src/base/time/clock.ts';
import {
  auditBacklog,
  type AuditSink,
  createAuditStream,
  findAuditFaults,
  openAuditSink,
  type SealSink,
} from '../../../src/seals/index.ts';
import { noticeSink } from '../../../src/notices/index.ts';
import { addFacts, named, openSealedBooks, type SealedBooks } from '../../support/books/sealed-books.ts';
import { type Authority, testAuthority } from '../../support/servers/tls.ts';

let books: SealedBooks;

beforeEach(async () => {
  books = await openSealedBooks();
  await books.seal();
  await addFacts(books, 'mp_2');
  await books.seal();
});

afterEach(async () => {
  await books.close();
});

const faults = async (sinks: { sealSink?: SealSink | null; stream?: SealSink | null } = {}) =>
  named(
    (await findAuditFaults(books.db, { ...books, box: books.box(), sealSink: null, stream: null, ...sinks }))
      .findings,
  );

const streamTo = (sink: AuditSink) => {
  const warn = vi.fn();
  const again = vi.fn<(after_ms: number) => void>();
  const deps = { ...books, ids: systemIds(), log: { warn }, sink, again };
  return { warn, again, pass: createAuditStream(deps), backlog: () => auditBacklog({ db: books.db, sink }) };
};

/** The ids of entries and the numbers of heads, in the order in which a sink has them. */
const namesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const { audit_id, seal } = JSON.parse(line) as { audit_id?: string; seal?: { seal_no: string } };
    return audit_id ?? `seal ${seal?.seal_no ?? '?'}`;
  });
const all = ['al_mp_1', 'seal 1', 'al_mp_2', 'seal 2'];
const firstOf = async (): Promise<string> => {
  const [row] = await books.db.query<{ audit_id: string }>(
    sql`SELECT audit_id FROM audit_log ORDER BY audit_id LIMIT 1`,
  );
  return row?.audit_id ?? '';
};

describe('verify-audit', () => {
  test('D-194 an intact trail has no findings, also if other rows were changed', async () => {
    expect(await faults()).toEqual([]);
    await books.tamper((tx) => tx.query(sql`DELETE FROM ledger_transfers`));
    expect(await faults()).toEqual([]);
  });

  test.each(["address = '192.0.2.1'", "session_id = 'x'", "actor = 'user:x'", "at = at + interval '1 us'"])(
    'it names the entry whose %s was changed',
    async (change) => {
      const [column = '', value = ''] = change.split(' = ');
      const [row] = await books.db.query<{ later: string }>(
        sql`SELECT (at + interval '1 us')::text AS later FROM audit_log WHERE audit_id = 'al_mp_2'`,
      );
      await books.tamper((tx) =>
        tx.query(
          column === 'at'
            ? sql`UPDATE audit_log SET at = ${row?.later}::timestamptz WHERE audit_id = 'al_mp_2'`
            : sql`UPDATE audit_log SET
                address = CASE WHEN ${column} = 'address' THEN ${value} ELSE address END,
                session_id = CASE WHEN ${column} = 'session_id' THEN ${value} ELSE session_id END,
                actor = CASE WHEN ${column} = 'actor' THEN ${value} ELSE actor END
              WHERE audit_id = 'al_mp_2'`,
        ),
      );
      expect(await faults()).toEqual(['sealed_row_changed: audit ["al_mp_2"]']);
    },
  );

  test('it names entries that were removed, added past the service, or not sealed in time', async () => {
    await books.tamper((tx) => tx.query(sql`DELETE FROM audit_log WHERE audit_id = 'al_mp_2'`));
    expect(await faults()).toEqual(['sealed_row_missing: audit ["al_mp_2"]']);
    await addFacts(books, 'mp_3');
    books.clock.advance(minutes(2) + 1);
    expect(await faults()).toContain('fact_unsealed: audit ["al_mp_3"]');
    await books.seal();
    await books.tamper((tx) => tx.query(sql`DELETE FROM seals WHERE seal_no = 2`));
    expect(await faults()).toContain('seal_broken: seal 3');
  });
});

describe('npx paydesk verify-audit', () => {
  const run = async (): Promise<[code: number, printed: string]> => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const PAYDESK_SECRET_KEY = books.ring[0].toString('base64');
    const code = await runCommand(['verify-audit'], { DATABASE_URL: books.url, PAYDESK_SECRET_KEY });
    const printed = log.mock.calls.flat().join('\n');
    log.mockRestore();
    return [code, printed];
  };

  test('it exits 0 if the trail is intact, otherwise 1, and prints the id of the entry', async () => {
    expect(await run()).toEqual([0, 'The audit trail is intact: 2 entries checked.']);
    await books.tamper((tx) =>
      tx.query(sql`UPDATE audit_log SET actor = 'user:x' WHERE audit_id = 'al_mp_2'`),
    );
    const [code, printed] = await run();
    expect(code).toBe(1);
    expect(printed).toContain('sealed_row_changed: audit ["al_mp_2"] is not what seal 2 covers');
  });
});

describe('a file as the sink', () => {
  let dir: string;
  let sink: AuditSink;
  let path: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'audit-'));
    path = join(dir, 'audit.jsonl');
    sink = openAuditSink(pathToFileURL(path).href, null);
  });
  afterEach(async () => {
    await rm(dir, { recursive: true });
  });
  const lines = async (): Promise<string[]> => (await readFile(path, 'utf8')).trim().split('\n');

  test('it gets every entry in order, each before the head that covers it', async () => {
    const { pass } = streamTo(sink);
    expect(await pass()).toBe(2);
    expect(await pass()).toBe(0);
    const written = await lines();
    const first = await firstOf();
    expect(namesOf(written)).toEqual([first, ...all.slice(1)]);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      actor: 'key',
      action: 'merchant.update',
      session_id: null,
    });
    expect(await faults({ stream: sink.heads })).toEqual([]);
  });

  test('a new process goes on where the last one was, and after a crash sends again', async () => {
    await streamTo(sink).pass();
    await addFacts(books, 'mp_3');
    await books.seal();
    await streamTo(sink).pass();
    expect(namesOf(await lines()).slice(4)).toEqual(['al_mp_3', 'seal 3']);
    // As after a crash between sending and noting it.
    await books.db.query(sql`UPDATE seal_sinks SET seal_no = 2 WHERE sink = ${sink.name}`);
    await streamTo(sink).pass();
    expect(namesOf(await lines()).slice(4)).toEqual(['al_mp_3', 'seal 3', 'al_mp_3', 'seal 3']);
    expect(await faults({ stream: sink.heads })).toEqual([]);
  });

  test('one worker at a time sends; a dead one holds the sink for half a minute', async () => {
    await books.db.query(sql`INSERT INTO seal_sinks (sink, seal_no, leased_by, leased_until)
      VALUES (${sink.name}, 0, ${systemIds().uuid()}, ${new Date(books.clock.now().getTime() + seconds(30))})`);
    const { pass } = streamTo(sink);
    expect(await pass()).toBe(0);
    books.clock.advance(seconds(31));
    expect(await pass()).toBe(2);
  });

  test('D-1117 a check whose database fails while entries are compared fails, too', async () => {
    await streamTo(sink).pass();
    const query: Database['query'] = (asked) =>
      asked.text.includes('FROM audit_log') ? Promise.reject(new Error('away')) : books.db.query(asked);
    const db = Object.create(books.db, { query: { value: query } }) as Database;
    const check = findAuditFaults(db, { ...books, box: books.box(), sealSink: null, stream: sink.heads });
    await expect(check).rejects.toThrow('away');
  });

  test('D-1117 a sink that can be read for its heads and then no more is a finding', async () => {
    await streamTo(sink).pass();
    const heads = sink.heads as SealSink;
    let reads = 0;
    const read = (): AsyncIterable<string> => {
      if (++reads > 1) throw new Error('gone');
      return heads.read();
    };
    const stream = { ...heads, read };
    expect(await faults({ stream })).toEqual(['seal_sink_unreadable: sink']);
  });

  test('removed newest entries, with their seals, are found by comparison with the sink', async () => {
    await streamTo(sink).pass();
    await books.tamper(async (tx) => {
      await tx.query(sql`DELETE FROM seals WHERE seal_no = 2`);
      await tx.query(sql`DELETE FROM audit_log WHERE audit_id = 'al_mp_2'`);
    });
    expect(await faults({ stream: sink.heads })).toEqual([
      'seal_lost: seal 2',
      'audit_entry_lost: audit ["al_mp_2"]',
    ]);
  });
});

describe('an address as the sink', () => {
  let authority: Authority;
  let server: ReturnType<typeof createHttps>;
  let status = 200;
  let received: { body: string; type: string | undefined; authorization: string | undefined }[] = [];
  let url: string;
  beforeAll(async () => {
    authority = await testAuthority();
    server = createHttps(await authority.issue(), (request, response) => {
      void text(request).then((body) => {
        const { 'content-type': type, authorization } = request.headers;
        if (status !== 503) received.push({ body, type, authorization });
        // 0: the sink takes the lines and dies before its answer.
        if (status === 0) request.socket.destroy();
        else response.writeHead(status).end();
      });
    });
    url = `https://keeper:s%C3%A4fe@localhost:${await listen(server)}/audit`;
  });
  beforeEach(() => {
    received = [];
    status = 200;
  });
  afterAll(() => close(server));

  test('JSON lines are posted to it under its password; its certificate is verified', async () => {
    const untrusted = streamTo(openAuditSink(url, null));
    expect(await untrusted.pass()).toBe(0);
    expect(untrusted.warn).toHaveBeenCalledOnce();
    expect(received).toEqual([]);
    expect(await streamTo(openAuditSink(url, authority.cert)).pass()).toBe(2);
    expect(namesOf(received.flatMap(({ body }) => body.trim().split('\n')))).toEqual([
      await firstOf(),
      ...all.slice(1),
    ]);
    const [{ type, authorization } = {}] = received;
    expect(type).toBe('application/x-ndjson');
    expect(authorization).toBe(`Basic ${Buffer.from('keeper:säfe').toString('base64')}`);
    const stored = await books.db.query(sql`SELECT sink FROM seal_sinks`);
    expect(JSON.stringify(stored)).not.toContain('keeper');
  });

  test('D-662 D-1305 mail that could not be queued is not told as a trail that could not be sent', async () => {
    const notices = noticeSink({
      ...books,
      mail: true,
      onMail: () => {
        throw new Error('no room');
      },
    });
    for (const [sink, words] of [
      [notices, 'mail about what the audit trail records could not be queued'],
      [openAuditSink(`${url}/closed`, 'no certificate'), 'the audit trail could not be sent to its sink'],
    ] as const) {
      const { pass, warn } = streamTo(sink);
      await pass();
      expect(warn.mock.calls).toEqual([[expect.any(Object), words]]);
      // D-1305: some receivers have their token in the path.
      expect(inspect(warn.mock.calls, { depth: null })).not.toContain('/closed');
    }
  });

  test('while it refuses, the pauses grow, the backlog shows, and nothing is lost', async () => {
    const { pass, warn, backlog } = streamTo(openAuditSink(url, authority.cert));
    status = 503;
    for (let failures = 1; failures <= 3; failures++) {
      await pass();
      await pass();
      expect(warn).toHaveBeenCalledTimes(failures);
      books.clock.advance(seconds(2 ** (failures - 1)));
    }
    expect(await backlog()).toEqual({ waiting: 2n, oldest_at: expect.any(Date) as Date });
    status = 200;
    expect(await pass()).toBe(2);
    expect(await backlog()).toEqual({ waiting: 0n, oldest_at: null });
  });

  test('D-1473 while it refuses, the pass asks to run again at the end of its pause, so that no new entry has to come first', async () => {
    const { pass, again } = streamTo(openAuditSink(url, authority.cert));
    status = 503;
    await pass();
    expect(again.mock.calls).toEqual([[seconds(1)]]);
    await pass();
    const left_ms = again.mock.calls[1]?.[0] ?? 0;
    expect(left_ms > 0 && left_ms <= seconds(1)).toBe(true);
    status = 200;
    books.clock.advance(seconds(1));
    expect(await pass()).toBe(2);
    await pass();
    expect(again).toHaveBeenCalledTimes(2);
  });

  test('D-1105 a pause ends if the clock is set back meanwhile', async () => {
    const { pass, warn } = streamTo(openAuditSink(url, authority.cert));
    status = 503;
    await pass();
    books.clock.advance(-minutes(1));
    await pass();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test('a new process sends what the sink lacks; what it took without answering comes again, and nothing else', async () => {
    const restart = () => streamTo(openAuditSink(url, authority.cert)).pass();
    const taken = (): string[] => namesOf(received.flatMap(({ body }) => body.trim().split('\n')));
    expect(await restart()).toBe(2);
    const before = taken();
    await addFacts(books, 'mp_3');
    await books.seal();
    status = 503;
    expect(await restart()).toBe(0);
    status = 0;
    expect(await restart()).toBe(0);
    expect(taken().slice(before.length)).toEqual(['al_mp_3', 'seal 3']);
    status = 200;
    expect([await restart(), await restart()]).toEqual([1, 0]);
    expect(taken().slice(before.length)).toEqual(['al_mp_3', 'seal 3', 'al_mp_3', 'seal 3']);
  });
});

describe('a syslog server as the sink', () => {
  let authority: Authority;
  let server: Server;
  let url: string;
  let received = Buffer.alloc(0);
  let dies = false;
  beforeAll(async () => {
    authority = await testAuthority();
    server = createTls(await authority.issue(), (socket) => {
      socket.on('error', () => undefined);
      if (dies) {
        socket.destroy();
        return;
      }
      socket.on('data', (part: Buffer) => {
        received = Buffer.concat([received, part]);
      });
    });
    url = `syslog+tls://localhost:${await listen(server)}`;
  });
  afterAll(() => close(server));

  beforeEach(() => {
    received = Buffer.alloc(0);
  });

  /** The messages that have arrived, by their octet counts. */
  function messages(): string[] {
    const found: string[] = [];
    for (let rest = received; rest.length > 0;) {
      const space = rest.indexOf(' ');
      const end = space + 1 + Number(rest.subarray(0, space).toString());
      if (!(space > 0 && end <= rest.length)) throw new Error('the length before a message is wrong');
      found.push(rest.subarray(space + 1, end).toString('utf8'));
      rest = rest.subarray(end);
    }
    return found;
  }
  const form = /^<109>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [!-~]+ paydesk - (audit|seal) - (\{.*\})$/;
  const parts = (): (RegExpExecArray | null)[] => messages().map((message) => form.exec(message));
  const taken = (): string[] => namesOf(parts().map((part) => part?.[2] ?? '{}'));

  test('messages of RFC 5424 arrive over TLS with octet counting', async () => {
    expect(await streamTo(openAuditSink(url, null)).pass()).toBe(0);
    expect(received).toHaveLength(0);
    expect(await streamTo(openAuditSink(url, authority.cert)).pass()).toBe(2);
    expect(taken()).toEqual([await firstOf(), ...all.slice(1)]);
    expect(parts().map((part) => part?.[1])).toEqual(['audit', 'seal', 'audit', 'seal']);
  });

  test('what a server has cut off before it read it is sent again', async () => {
    const restart = () => streamTo(openAuditSink(url, authority.cert)).pass();
    dies = true;
    expect(await restart()).toBe(0);
    dies = false;
    expect(await restart()).toBe(2);
    expect(taken()).toEqual([await firstOf(), ...all.slice(1)]);
  });

  test('a new process sends what the server lacks, once, after the server was away', async () => {
    const restart = () => streamTo(openAuditSink(url, authority.cert)).pass();
    expect(await restart()).toBe(2);
    const before = taken();
    await addFacts(books, 'mp_3');
    await books.seal();
    const { port } = server.address() as AddressInfo;
    await close(server);
    expect(await restart()).toBe(0);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect([await restart(), await restart()]).toEqual([1, 0]);
    expect(taken().slice(before.length)).toEqual(['al_mp_3', 'seal 3']);
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
