import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemIds } from '../../base/ids.ts';
import { createLog } from '../../base/log.ts';
import { createHttp } from '../server.ts';
import { sendBuilt } from './stored.ts';

const script = 'console.log(1);';
let dir: string;
let app: FastifyInstance;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'paydesk-stored-'));
  const files = {
    'a.js': script,
    'a.js.br': brotliCompressSync(script),
    'a.js.gz': gzipSync(script),
    'b.js': script,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  app = createHttp({
    config: { public_url: 'https://pay.example', base_path: '', trusted_proxies: [] },
    log: createLog('silent'),
    ids: systemIds(),
  });
  app.get<{ Params: { name: string } }>('/:name', (request, reply) => {
    const path = join(dir, request.params.name);
    const pathOf = (extension: string): string | null =>
      existsSync(`${path}.${extension}`) ? `${path}.${extension}` : null;
    return sendBuilt(request, reply, {
      content_type: 'text/javascript',
      path,
      br: pathOf('br'),
      gzip: pathOf('gz'),
    });
  });
});

afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true });
});

const asIs = (bytes: Buffer): Buffer => bytes;

test.for([
  ['a.js', 'gzip, br', 'br', brotliDecompressSync],
  ['a.js', 'gzip', 'gzip', gunzipSync],
  ['a.js', 'identity', undefined, asIs],
  ['b.js', 'gzip, br', undefined, asIs],
] as const)('D-1091 %s for a caller that accepts %s is sent as %s', async ([name, accepted, sent, read]) => {
  const { headers, rawPayload } = await app.inject({
    url: `/${name}`,
    headers: { 'accept-encoding': accepted },
  });
  expect(headers['content-encoding']).toBe(sent);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(read(rawPayload).toString()).toBe(script);
});

test('D-1091 a file that is no longer on the disk is not found', async () => {
  const { statusCode } = await app.inject({ url: '/c.js' });
  expect(statusCode).toBe(404);
});
