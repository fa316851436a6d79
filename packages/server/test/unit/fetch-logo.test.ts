import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFetchLogo } from '../../src/checkout/logos/fetch-logo.ts';
import type { FetchedLogo } from '../../src/merchants/logos.ts';
import { fetchBytes } from '../../src/notifications/transport/fetch-bytes.ts';
import type { NameResolver } from '../../src/notifications/addresses/resolve.ts';
import { jpegOf, pngOf, webpOf } from '../support/browser/pictures.ts';
import { type Answer, openReceiver, type Receiver } from '../support/servers/receiver.ts';
import { testAuthority } from '../support/servers/tls.ts';

let ca: string;
let receiver: Receiver;
let stranger: Receiver;

beforeAll(async () => {
  const authority = await testAuthority();
  ca = authority.cert;
  receiver = await openReceiver(authority, { names: ['shop.example'] });
  stranger = await openReceiver(await testAuthority('somebody else'));
});

afterAll(async () => {
  await receiver.close();
  await stranger.close();
});

const loopback = ['127.0.0.1/32'];
const nowhere: NameResolver = () => Promise.reject(new Error('ENOTFOUND'));
const here: NameResolver = () => Promise.resolve(['127.0.0.1']);
const both: NameResolver = () => Promise.resolve(['8.8.8.8', '127.0.0.1']);

const fetched = (url: string, resolver = nowhere, allow_cidrs = loopback): Promise<FetchedLogo> =>
  createFetchLogo({ allow_cidrs, ca, resolver })(url);

const answered = (answer: Answer): Promise<FetchedLogo> => {
  receiver.answerWith(answer);
  return fetched(receiver.url('/logo'));
};
const bodied = (body: Buffer | string, headers = {}): Promise<FetchedLogo> =>
  answered({ status: 200, headers, body });

test.each([
  ['image/png', pngOf(48, 48)],
  ['image/jpeg', jpegOf(48, 48)],
  ['image/webp', webpOf('VP8L', 48, 48)],
])('R-382 %s is recognized by its content, with any content type', async (content_type, content) => {
  const picture = await bodied(content, { 'content-type': 'text/html' });
  expect(picture).toMatchObject({ kind: 'picture', logo: { content_type, content } });
});

test('R-382 R-251 a name is resolved once, and the request goes to that address', async () => {
  receiver.answerWith({ status: 200, body: pngOf(2, 2) });
  const before = receiver.received.length;
  const url = receiver.url('/a/logo.png?v=1', 'shop.example');
  expect(await fetched(url, here)).toMatchObject({ kind: 'picture' });
  const [request] = receiver.received.slice(before);
  expect(request).toMatchObject({ method: 'GET', path: '/a/logo.png?v=1', server_name: 'shop.example' });
  expect(request?.headers).toMatchObject({ 'accept-encoding': 'identity', host: new URL(url).host });
  expect(request?.headers).not.toHaveProperty('cookie');
  expect(request?.headers).not.toHaveProperty('referer');
});

describe('R-382 content that is not a picture is refused', () => {
  test.each<[string, Answer, string]>([
    ['SVG', { status: 200, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }, 'not_a_picture'],
    [
      'HTML called PNG',
      { status: 200, headers: { 'content-type': 'image/png' }, body: '<p>' },
      'not_a_picture',
    ],
    ['nothing', { status: 200, body: '' }, 'not_a_picture'],
    ['an animation', { status: 200, body: pngOf(4, 4, { animated: true }) }, 'animated'],
    ['more pixels than a phone has room for', { status: 200, body: jpegOf(2_049, 16) }, 'too_large'],
    ['no pixels', { status: 200, body: webpOf('VP8 ', 0, 0) }, 'too_large'],
    ['a long file', { status: 200, body: Buffer.concat([pngOf(4, 4), Buffer.alloc(131_072)]) }, 'too_large'],
    ['a file without end', 'endless', 'too_large'],
    ['another page', { status: 302, headers: { location: 'https://127.0.0.1/' } }, 'http_status'],
    ['404', { status: 404, body: pngOf(4, 4) }, 'http_status'],
  ])('%s', async (_name, answer, problem) => {
    expect(await answered(answer)).toEqual({ kind: 'refused', problem });
  });
});

test.each<[string, Answer]>([
  ['an error of its own', { status: 503 }],
  ['a reset', 'reset'],
  ['something that is not HTTP', 'garbage'],
  ['half a picture', 'cut'],
])('R-382 a source that answers with %s may come back', async (_name, answer) => {
  expect(await answered(answer)).toEqual({ kind: 'unreachable', problem: 'no_connection' });
});

test('R-382 a source that never ends its answer is left after a while', async () => {
  for (const answer of ['hang', 'drip'] as const) {
    receiver.answerWith(answer);
    const read = await fetchBytes(new URL(receiver.url('/slow')), {
      ...{ resolver: nowhere, allow_cidrs: loopback, ca, headers: {}, max_bytes: 1_024 },
      timeout_ms: 300,
    });
    expect(read).toEqual({ kind: 'unreachable', problem: 'timeout' });
  }
});

describe('R-382 nothing is asked of a private address', () => {
  test.each<[string, string, NameResolver, string]>([
    ['as a literal', 'https://10.0.0.1/l.png', nowhere, 'private_target'],
    ['in another spelling', 'https://2130706433/l.png', nowhere, 'private_target'],
    ['by its name', 'https://localhost/l.png', here, 'private_target'],
    ['behind a name', 'https://shop.example/l.png', here, 'private_target'],
    ['behind one of several', 'https://shop.example/l.png', both, 'private_target'],
    ['without TLS', 'http://8.8.8.8/l.png', nowhere, 'not_https'],
    ['with a password', 'https://a:b@8.8.8.8/l.png', nowhere, 'not_https'],
  ])('%s', async (_name, url, resolver, problem) => {
    const before = receiver.connections;
    expect(await fetched(url, resolver, [])).toEqual({ kind: 'refused', problem });
    expect(receiver.connections).toBe(before);
  });
});

test('R-382 a vanished name and an untrusted certificate are temporary failures', async () => {
  expect(await fetched('https://shop.example/l.png')).toEqual({ kind: 'unreachable', problem: 'dns_failed' });
  expect(await fetched(stranger.url('/l.png'))).toEqual({ kind: 'unreachable', problem: 'no_connection' });
  expect(stranger.received).toEqual([]);
});
