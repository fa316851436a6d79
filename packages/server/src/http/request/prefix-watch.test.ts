import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createPrefixWatch, hintFor } from './prefix-watch.ts';

test.each([
  ['/openapi/v1/merchant', '/pay', /^a request arrived without the path \/pay of PAYDESK_PUBLIC_URL/],
  ['/healthz?proxy=1', '/pay', /^a request arrived without the path \/pay/],
  ['/pay/healthz', '', /^a request arrived with the path \/pay before/],
  ['/pay/pay/oauth/token', '/pay', /^a request arrived with the path \/pay before/],
  ['/a/b/admin/v1/orders', '', /^a request arrived with the path \/a\/b before/],
  ['/pay/openapi/v1/nothing', '/pay', null],
  ['/favicon.ico', '/pay', null],
  ['/openapi/v1/nothing', '', null],
  ['/admin/v1/admin/x', '', null],
])('R-001 a proxy that changes paths is noticed: %s below "%s"', (url, base_path, hint) => {
  const said = hintFor(url, base_path, true);
  if (hint === null) expect(said).toBeNull();
  else expect(said).toMatch(hint);
});

test('R-001 a stranger who asks for other paths is not taken for a proxy', () => {
  expect(hintFor('/pay/healthz', '', false)).toBeNull();
});

/** The arguments of each warning, after these requests: their address, whether a proxy passed it on, and whether it is unknown. */
function warningsOf(base_path: string, requests: [url: string, is_proxied: boolean, isUnknown: boolean][]) {
  const warnings: unknown[][] = [];
  const log = { warn: (...said: unknown[]) => warnings.push(said) };
  const watch = createPrefixWatch(base_path);
  for (const [originalUrl, is_proxied, isUnknown] of requests) {
    const headers = is_proxied ? { 'x-forwarded-for': '203.0.113.9' } : {};
    const request = { originalUrl, headers, is_proxied, server: { log } };
    watch(request as unknown as FastifyRequest, isUnknown);
  }
  return warnings;
}

test.each([
  ['/admin', '/pay'],
  ['/backup/admin', ''],
])(
  'D-944 %s of a stranger is no proxy’s fault once the proxy has passed on a path below "%s"',
  (url, base_path) => {
    const passed: [string, boolean, boolean][] = [
      [`${base_path}/readyz`, false, false],
      [`${base_path}/sign-in`, true, false],
    ];
    expect(warningsOf(base_path, [...passed, [url, true, true]])).toEqual([]);
  },
);

test('D-1421 the warning has nothing of the path that came, which may have a secret', () => {
  const warnings = warningsOf('/pay', [['/webhooks/cardprov/wk_secret', true, true]]);
  expect(warnings).toEqual([[expect.stringMatching(/^a request arrived without the path \/pay/)]]);
});
