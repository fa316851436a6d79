import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRawBody, verifyNotification } from '@paydesk/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenCommand } from '../../src/cli/listen.ts';
import { readConfig } from '../../src/config.ts';
import { sendNotification } from '../support/notifications/send-notification.ts';
import { type SourceProcess, startPaydesk } from '../support/run/source-process.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/run/temporary.ts';

const secret = randomBytes(24).toString('base64url');
let directory: TemporaryDirectory;

beforeAll(async () => {
  directory = await temporaryDirectory('listen');
});
afterAll(() => directory.remove());

interface Listening {
  listener: SourceProcess;
  url: string;
  ca: string;
  banner: string[];
}

async function listening(...args: string[]): Promise<Listening> {
  const env = { PAYDESK_DATA_DIR: directory.path, PAYDESK_NOTIFY_SECRET: `older ${secret}` };
  const listener = startPaydesk(['listen', '--port', '0', ...args], { env });
  const banner = [];
  for (let i = 0; i < 5; i++) banner.push(await listener.line());
  const [, url = ''] = /(https:[^ ,]+)/.exec(banner[0] ?? '') ?? [];
  const [, file = ''] = /PAYDESK_NOTIFY_CA_FILE=(.*)/.exec(banner[2] ?? '') ?? [];
  return { listener, url, ca: await readFile(file, 'utf8'), banner };
}

describe('paydesk listen', () => {
  test(
    'prints which deliveries it could verify, and what is wrong with the others',
    { timeout: 300_000 },
    async () => {
      const { listener, url, ca, banner } = await listening('--path', '/hook');
      expect(banner.join('\n')).toMatch(/PAYDESK_NOTIFY_ALLOW_CIDRS=127\.0\.0\.1\/32/);
      expect(banner.join('\n')).not.toContain(secret);
      const sending = { url, ca, secret };
      const id = 'ne_01JNXW900E4S8D2G6J1KC5P7VA';

      expect(await sendNotification({ ...sending, event_id: id })).toEqual({ http_status: 204, error: null });
      expect(await listener.line()).toMatch(
        new RegExp(
          `^verified ${id}: mp_\\w+ \\(Bestellung – „1“ € .*\\) is paid, 10.00 USD; version 2, payment pe_`,
        ),
      );
      await sendNotification({ ...sending, event_id: id });
      expect(await listener.line()).toMatch(/, delivery 2 of the same notification$/);
      await sendNotification({ ...sending, status_version: 1 });
      expect(await listener.line()).toMatch(/, overtaken by version 2$/);
      for (const ahead_ms of [-301_500, 301_500]) {
        expect(await sendNotification({ ...sending, ahead_ms })).toMatchObject({ http_status: 400 });
        expect(await listener.line()).toMatch(/^refused ne_\w+: stale: /);
      }
      await sendNotification({ ...sending, secret: `${secret}.` });
      expect(await listener.line()).toMatch(/^refused ne_\w+: wrong signature: /);
      expect(await sendNotification({ ...sending, url: url.replace('/hook', '/') })).toMatchObject({
        http_status: 404,
      });
      expect(await listener.line()).toBe('refused: POST /; notifications are posted to /hook');
      expect(await listener.kill('SIGTERM')).toBe(0);
    },
  );

  test('keeps its certificate, and answers as asked or as the shop does', async () => {
    const received: string[] = [];
    const shop = createServer((request, response) => {
      void readRawBody(request).then((raw_body) => {
        const { ok } = verifyNotification({ headers: request.headers, raw_body, secrets: secret });
        received.push(`${request.url ?? ''} ${ok}`);
        response.writeHead(202).end();
      });
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/paydesk?x=1`;
    const first = await listening('--forward-to', address);
    expect(first.banner[0]).toBe(`Listening on ${first.url}, answering as ${address} does.`);
    expect(await sendNotification({ url: first.url, ca: first.ca, secret })).toMatchObject({
      http_status: 202,
    });
    expect(await first.listener.line()).toMatch(/^verified/);
    await sendNotification({ url: first.url, ca: first.ca, secret: `${secret}.` });
    expect(await first.listener.line()).toMatch(/^refused/);
    expect(received).toEqual(['/paydesk?x=1 true']);
    shop.closeAllConnections();
    await new Promise((resolve) => shop.close(resolve));
    expect(await sendNotification({ url: first.url, ca: first.ca, secret })).toMatchObject({
      http_status: 502,
    });
    expect(await first.listener.line()).toMatch(/does not answer/);
    await first.listener.kill('SIGTERM');
    const { listener, url, ca } = await listening('--status', '503');
    expect(ca).toBe(first.ca);
    expect(await sendNotification({ url, ca, secret })).toEqual({ http_status: 503, error: 'http_error' });
    expect(await listener.line()).toMatch(/, answered 503$/);
    await listener.kill('SIGTERM');
  });

  test('no secret is reported in one sentence', async () => {
    const given = {
      argument: '',
      options: { port: '0', status: '204', path: '/' },
      flags: new Set<string>(),
    };
    await expect(listenCommand({ ...given, config: readConfig({}), env: {} })).rejects.toThrow(
      /^Set PAYDESK_NOTIFY_SECRET/,
    );
  });
});
