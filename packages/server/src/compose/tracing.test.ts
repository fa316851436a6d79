import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../base/log.ts';
import { beginSpan, isTracing } from '../base/tracing/tracing.ts';
import { readEnvironment } from '../environment.ts';
import { startTracing, type Tracing } from './tracing.ts';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
/** Nothing listens there. */
const away = 'http://127.0.0.1:9';

let tracing: Tracing | null = null;
afterEach(async () => {
  await tracing?.stop();
  tracing = null;
  vi.unstubAllEnvs();
});

/** As a process with these variables does. */
function start(env: Record<string, string>): Tracing | null {
  for (const [name, text] of Object.entries(env)) vi.stubEnv(name, text);
  return startTracing(env);
}

describe('traces are off', () => {
  test.each([
    [{}],
    [{ [endpoint]: '' }],
    [{ OTEL_SERVICE_NAME: 'paydesk', OTEL_TRACES_SAMPLER: 'always_on' }],
    [{ [endpoint]: away, OTEL_SDK_DISABLED: 'true' }],
    [{ [endpoint]: away, OTEL_TRACES_EXPORTER: 'none' }],
  ])('with %j', (env: Record<string, string>) => {
    expect(startTracing(env)).toBeNull();
    expect(isTracing()).toBe(false);
  });

  test.each([
    [{ [endpoint]: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'no' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an address/],
    [{ [endpoint]: away, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be http/],
  ])('and the start is refused with %j', (env: Record<string, string>, message) => {
    expect(() => startTracing(env)).toThrow(message);
  });
});

test('a collector that does not answer is logged once, counted, and delays nothing', async () => {
  tracing = start({
    [endpoint]: away,
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_EXPORTER_OTLP_TIMEOUT: '50',
    OTEL_TRACES_SAMPLER: 'sometimes',
  });
  const registry = new Registry();
  const stream = new PassThrough();
  tracing?.register(registry);
  tracing?.reportTo(createLog('info', stream));
  const lines = (): string[] =>
    String(stream.read() ?? '')
      .split('\n')
      .slice(0, -1);
  expect(lines()[0]).toContain('OTEL_TRACES_SAMPLER value');
  for (const lost of [1, 2]) {
    beginSpan('a request')?.end();
    await vi.waitFor(async () => {
      expect(await registry.metrics()).toContain(`paydesk_trace_spans_total{outcome="lost"} ${lost}`);
    }, 60_000);
  }
  expect(lines().filter((line) => line.includes('traces are lost'))).toHaveLength(1);
});

test('the key of the collector may come from a file, and does not stay in the process', async () => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['x-key']);
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = join(await mkdtemp(join(tmpdir(), 'paydesk-otel-')), 'headers');
  await writeFile(file, 'x-key=hidden\n');
  vi.stubEnv(endpoint, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const asked = { [endpoint]: process.env[endpoint] ?? '', OTEL_EXPORTER_OTLP_HEADERS_FILE: file };
  tracing = startTracing(readEnvironment(asked));
  beginSpan('a request')?.end();
  await tracing?.stop();
  expect(keys).toEqual(['hidden']);
  expect(process.env).not.toHaveProperty('OTEL_EXPORTER_OTLP_HEADERS');
  const missing = { OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere' };
  expect(() => readEnvironment(missing)).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS_FILE names a file that does not',
  );
  // These name files themselves.
  for (const name of ['OTEL_EXPORTER_OTLP_CERTIFICATE_FILE', 'OTEL_EXPERIMENTAL_CONFIG_FILE']) {
    expect(readEnvironment({ [name]: '/nowhere' })).toEqual({ [name]: '/nowhere' });
  }
  await new Promise((resolve) => server.close(resolve));
});

test('a process names itself as the variables say, and sends its last spans when it stops', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(`${request.url ?? ''} ${chunk.toString()}`));
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const [protocol, mark] of [
    ['http/json', '"key":"service.name","value":{"stringValue":"till"}'],
    ['http/protobuf', 'service.name'],
  ] as const) {
    tracing = start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/own/path`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_SERVICE_NAME: 'till',
    });
    beginSpan('the last request')?.end();
    await tracing?.stop();
    const sent = bodies.splice(0).join('');
    expect(sent).toContain('/own/path ');
    expect(sent).toContain('the last request');
    expect(sent).toContain(mark);
  }
  await new Promise((resolve) => server.close(resolve));
});
