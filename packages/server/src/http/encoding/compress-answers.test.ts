import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '../../base/ids.ts';
import { createLog } from '../../base/log.ts';
import { createHttp } from '../server.ts';
import { sendStored } from './stored.ts';

const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
const app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
const long = { text: 'payment '.repeat(300) };
const json = JSON.stringify(long);

beforeAll(() => {
  app.get('/json', () => long);
  app.get('/short', () => ({ text: 'x'.repeat(1_000) }));
  app.get('/page', (_request, reply) => reply.type('text/html; charset=utf-8').send(json));
  app.get('/bytes', (_request, reply) => reply.type('application/json').send(Buffer.from(json)));
  app.get('/pdf', (_request, reply) => reply.type('application/pdf').send(Buffer.from(json)));
  app.get('/tagged', (_request, reply) => reply.header('etag', '"a"').header('vary', 'cookie').send(long));
  app.get('/csv', { exposeHeadRoute: false }, (_request, reply) =>
    reply.type('text/csv; charset=utf-8').send(Readable.from([json, json], { objectMode: false })),
  );
  app.get('/broken', { exposeHeadRoute: false }, (_request, reply) => {
    function* lines() {
      yield json;
      throw new Error('the database is away');
    }
    return reply.type('text/csv').send(Readable.from(lines(), { objectMode: false }));
  });
  const stored = { content_type: 'text/javascript', bytes: Buffer.from(json), br: Buffer.from('br') };
  app.get('/stored', (request, reply) => sendStored(request, reply, { ...stored, gzip: Buffer.from('gz') }));
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'accept-encoding': 'gzip, br', ...headers } });

describe('D-255 text of more than 1 KB is compressed', () => {
  test.each(['/json', '/page', '/bytes'])('%s', async (url) => {
    const answer = await get(url);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
    expect(answer.rawPayload.length).toBeLessThan(200);
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(json);
  });

  test('with gzip for who accepts no Brotli, and as it is for who accepts neither', async () => {
    const gzipped = await get('/json', { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(json);
    const plain = await get('/json', { 'accept-encoding': 'identity' });
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(json);
  });

  test('a list that is sent while it is read, too; one that fails at once is an error', async () => {
    const answer = await get('/csv');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(json + json);
    const broken = await get('/broken');
    expect([broken.statusCode, broken.headers['content-encoding']]).toEqual([500, undefined]);
    expect(broken.json()).toMatchObject({ error: 'server_error' });
  });

  test('H-03 HEAD has the headers of GET', async () => {
    const [full, head] = [await get('/json'), await get('/json', {}, 'HEAD')];
    for (const name of ['content-encoding', 'content-length', 'vary', 'content-type']) {
      expect([name, head.headers[name]]).toEqual([name, full.headers[name]]);
    }
    expect(head.body).toBe('');
  });

  test.each(['/short', '/pdf'])('%s is not', async (url) => {
    const { headers } = await get(url);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });

  test('a tag no longer names exact bytes, and other reasons to vary stay', async () => {
    expect((await get('/tagged')).headers).toMatchObject({ etag: 'W/"a"', vary: 'cookie, accept-encoding' });
    const plain = await get('/tagged', { 'accept-encoding': '' });
    expect(plain.headers).toMatchObject({ etag: '"a"', vary: 'cookie, accept-encoding' });
  });

  test('what the build has compressed is sent as it is', async () => {
    const answer = await get('/stored');
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect([answer.body, (await get('/stored', { 'accept-encoding': 'gzip' })).body]).toEqual(['br', 'gz']);
    expect((await get('/stored', { 'accept-encoding': '' })).body).toBe(json);
  });
});

describe('D-257 an answer that another site may measure is not', () => {
  const signedIn = 'lang=de; paydesk_session=s';

  test.each([
    ['another site, with a session', { 'sec-fetch-site': 'cross-site', cookie: signedIn }, undefined],
    ['a neighbour, with a session', { 'sec-fetch-site': 'same-site', cookie: signedIn }, undefined],
    ['an old browser, with a session', { cookie: signedIn }, undefined],
    ['another site, without one', { 'sec-fetch-site': 'cross-site', cookie: '__Host-lang=de' }, 'br'],
    ['our own page', { 'sec-fetch-site': 'same-origin', cookie: signedIn }, 'br'],
    ['a person who typed the address', { 'sec-fetch-site': 'none', cookie: signedIn }, 'br'],
    ['a program', { authorization: 'Bearer x' }, 'br'],
  ])('%s', async (_, headers, encoding) => {
    expect((await get('/page', headers)).headers['content-encoding']).toBe(encoding);
  });
});
