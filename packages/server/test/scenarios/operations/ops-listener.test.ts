import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { request, startTestService, type TestService } from '../../support/desks/service.ts';

const away = { PAYDESK_PUBLIC_URL: 'https://pay.example/desk', PAYDESK_TEST_CLOCK: '0' };

/** The status and body of a path that is sent as it is written here. */
function raw(url: string, path: string, headers: string[] = []): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''];
    const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => {
      resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), text });
    });
    socket.on('error', reject);
  });
}

const statusOf = async (url: string, path: string): Promise<number> =>
  (await request(url + path, 'GET')).status;

describe('a public address that is not loopback, with PAYDESK_OPS_PORT', () => {
  let service: TestService;
  let ops: string;
  let origin: string;
  beforeAll(async () => {
    service = await startTestService({ role: 'web', env: { ...away, PAYDESK_OPS_PORT: '0' } });
    ops = service.service.ops_url ?? '';
    origin = service.service.url;
  });
  afterAll(() => service.stop());

  test('H-24 the separate listener serves health and metrics without the prefix, and nothing else', async () => {
    const metrics = await request(`${ops}/metrics`, 'GET');
    expect([metrics.status, metrics.text]).toEqual([
      200,
      expect.stringContaining('paydesk_http_request_duration_seconds'),
    ]);
    expect(await statusOf(ops, '/healthz')).toBe(200);
    expect(await statusOf(ops, '/readyz')).toBe(200);
    for (const path of ['/desk/healthz', '/openapi.json', '/admin/v1/users', '/session', '/docs']) {
      expect(await statusOf(ops, path)).toBe(404);
    }
  });

  test('H-24 the main port keeps health for balancers, and has no metrics', async () => {
    expect(await statusOf(service.url, '/healthz')).toBe(200);
    expect(await statusOf(service.url, '/readyz')).toBe(200);
    for (const path of ['/desk/metrics', '/metrics', '/desk/%6detrics', '/desk/metrics%2F']) {
      const answer = await raw(origin, path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toContain('paydesk_http');
    }
  });

  test('requests of the main port are measured, those of operators are not', async () => {
    await statusOf(service.url, '/docs');
    const { text } = await request(`${ops}/metrics`, 'GET');
    expect(text).toContain('route="/docs"');
    expect(text).not.toContain('route="/metrics"');
  });
});

test('H-24 without PAYDESK_OPS_PORT a public address that is not loopback has no metrics', async () => {
  const service = await startTestService({ role: 'worker', env: away });
  expect(service.service.ops_url).toBeNull();
  expect(await statusOf(service.url, '/metrics')).toBe(404);
  expect(await statusOf(service.url, '/healthz')).toBe(200);
  await service.stop();
});

describe('a loopback address', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'web', env: { PAYDESK_OPS_PORT: '0' } });
  });
  afterAll(() => service.stop());

  test('H-24 serves everything on the main port, also beside a listener for operators', async () => {
    for (const path of ['/metrics', '/healthz', '/readyz']) {
      expect(await statusOf(service.url, path)).toBe(200);
      expect(await statusOf(service.service.ops_url ?? '', path)).toBe(200);
    }
  });

  test.each([
    '/%61dmin/v1/users',
    '/admin%2Fv1/users',
    '/admin/v1/%75sers',
    '/%2561dmin/v1/users',
    '/checkout/%2e%2e/admin/v1/users',
    '/checkout/..%2fadmin/v1/users',
    '/checkout/..%252fadmin/v1/users',
    '/./admin/v1/users',
    '/%2e/admin/v1/users',
    '/admin/v1/users%2ecsv',
    '/%6detrics',
    '/metric%73',
    '/healthz%3F',
    '/metrics;a=b',
    '/console/merchants/..%2f..%2fadmin/v1/users/',
    'http://a/admin/v1/users',
    '/\\admin/v1/users',
  ])('H-05 %s reaches no route, also with the right key', async (path) => {
    const { status, text } = await raw(service.url, path, ['Authorization: Bearer test-administration-key']);
    expect([status, text.includes('"items"')]).toEqual([404, false]);
  });

  test('H-06 a parameter of a path may be encoded', async () => {
    const plain = await service.admin('GET', '/merchants?limit=1');
    expect(plain).toMatchObject({ items: [] });
    const { status, text } = await raw(service.url, '/admin/v1/merchants/m%5F1', [
      'Authorization: Bearer test-administration-key',
    ]);
    expect([status, text.includes('"not_found"')]).toEqual([404, true]);
    const encoded = await raw(service.url, '/admin/v1/currencies/%55SD', []);
    expect([401, 405]).toContain(encoded.status);
  });
});

test('D-960 a process that stops takes no connection, and answers a last time what a proxy sends on a kept one', async () => {
  const stopping = await startTestService({ role: 'web', timings: { linger_ms: 5_000 } });
  const { hostname, port } = new URL(stopping.url);
  const kept = connect(Number(port), hostname);
  const ended = once(kept, 'close');
  const ask = async (): Promise<string> => {
    kept.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    return String(await Promise.race([once(kept, 'data'), ended]));
  };
  expect(await ask()).not.toMatch(/connection: close/i);
  const stopped = stopping.stop();
  const another = (): Promise<unknown> => raw(stopping.url, '/healthz').catch(String);
  await expect.poll(another).toContain('ECONNREFUSED');
  expect(await ask()).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
  await ended;
  await stopped;
});

test('PAYDESK_OPS_PORT is a port, and another than PORT', () => {
  expect(readConfig({ PAYDESK_OPS_PORT: '9000' })).toMatchObject({ ops_port: 9000, is_local: true });
  expect(readConfig({})).toMatchObject({ ops_port: null });
  expect(() => readConfig({ PAYDESK_OPS_PORT: '8080' })).toThrow(/^PAYDESK_OPS_PORT must be another port/);
  expect(() => readConfig({ PAYDESK_OPS_PORT: 'x' })).toThrow(/^PAYDESK_OPS_PORT must be a number/);
});
