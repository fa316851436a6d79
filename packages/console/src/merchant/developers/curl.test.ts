import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { curlOf, exampleOf, orderCommand, tokenCommand } from './curl.ts';

const origin = 'https://pay.example/desk';
const client_id = 'cl_1';
const bearer = `-H "Authorization: Bearer \${ACCESS_TOKEN:?first set it to an access token}"`;

test.each([
  [
    'a read',
    { method: 'GET', path: '/openapi/v1/merchant-payments/mp_1' },
    `curl -X GET 'https://pay.example/desk/openapi/v1/merchant-payments/mp_1' \\\n  ${bearer}`,
  ],
  [
    'a write, whose body is not kept',
    { method: 'POST', path: '/openapi/v1/orders' },
    `curl -X POST 'https://pay.example/desk/openapi/v1/orders' \\\n  ${bearer} \\\n  -H 'Content-Type: application/json' \\\n  -d "\${BODY:?bodies are not stored. First set it to the JSON to send}"`,
  ],
  [
    'a write without a body',
    { method: 'POST', path: '/openapi/v1/merchant-payments/mp_1/notifications/evt_1/retry' },
    `curl -X POST 'https://pay.example/desk/openapi/v1/merchant-payments/mp_1/notifications/evt_1/retry' \\\n  ${bearer}`,
  ],
  [
    'a token',
    { method: 'POST', path: '/oauth/token' },
    `curl -X POST 'https://pay.example/desk/oauth/token' \\\n  -u "cl_1:\${CLIENT_SECRET:?first set it to the client secret}" \\\n  -d 'grant_type=client_credentials'`,
  ],
  [
    'a path that a shell would run',
    { method: 'GET', path: `/x';rm -rf $HOME` },
    `curl -X GET 'https://pay.example/desk/x'\\'';rm -rf $HOME' \\\n  ${bearer}`,
  ],
])('D-218 %s as curl', (_, request, expected) => {
  expect(curlOf(origin, { ...request, client_id }, { amount: '12.50', currency: 'USD' })).toBe(expected);
});

/** What curl would get, one argument a line, where a command is pasted into a shell with these variables. */
function pasted(command: string, env: Record<string, string>, answer = ''): string[] {
  const curl = `curl() { printf '%s\\n' "$@" >&2; printf '%s' '${answer}'; }`;
  const script = `exec 2>&1\n${curl}\n${command}`;
  return execFileSync('bash', ['-c', script], { env: { PATH: process.env.PATH ?? '', ...env } })
    .toString()
    .trimEnd()
    .split('\n');
}

describe('D-510 a command of the console runs in a shell as it is', () => {
  const usd = { amount: '12.50', currency: 'USD' };
  const order = curlOf(origin, { method: 'POST', path: '/openapi/v1/merchant-payments', client_id }, usd);

  test('an order: its example is a valid body with a new key', () => {
    expect(order).toBe(orderCommand(origin, usd));
    const sent = pasted(order, { ACCESS_TOKEN: 'tok' });
    expect(sent.slice(0, 3)).toEqual(['-X', 'POST', `${origin}/openapi/v1/merchant-payments`]);
    expect(sent).toContain('Authorization: Bearer tok');
    const body = JSON.parse(sent.at(-1) ?? '') as Record<string, string>;
    expect(body).toMatchObject({ external_reference: 'first-order', amount: '12.50', currency: 'USD' });
    expect(body.idempotency_key).toMatch(/^\d+$/);
  });

  test('D-612 the example of an order is in a currency that has a rate, with its decimals', () => {
    const [eur, jpy, dollar] = [
      { currency: 'EUR', decimals: 2, ptk_price: null },
      { currency: 'JPY', decimals: 0, ptk_price: '0.006' },
      { currency: 'USD', decimals: 2, ptk_price: '1' },
    ];
    expect(exampleOf([eur, jpy, dollar])).toEqual(usd);
    expect(exampleOf([eur, jpy])).toEqual({ amount: '12', currency: 'JPY' });
    expect(exampleOf([eur])).toEqual({ amount: '12.50', currency: 'EUR' });
    expect(exampleOf([])).toEqual(usd);
    const sent = pasted(orderCommand(origin, exampleOf([jpy])), { ACCESS_TOKEN: 'tok' });
    expect(JSON.parse(sent.at(-1) ?? '')).toMatchObject({ amount: '12', currency: 'JPY' });
  });

  test('D-550 a token: the next command has it, and another answer is shown', () => {
    const command = tokenCommand(`${origin}/oauth/token`, client_id);
    const answer = '{"access_token":"tok-1","token_type":"Bearer"}';
    const sent = pasted(command, { CLIENT_SECRET: 'sec' }, answer);
    expect(sent).toContain('cl_1:sec');
    expect(sent.at(-1)).toBe('ACCESS_TOKEN is set');
    expect(sent.join(' ')).not.toContain('tok-1');
    expect(pasted(`${command}\necho "$ACCESS_TOKEN"`, { CLIENT_SECRET: 'sec' }, answer).at(-1)).toBe('tok-1');
    const refused = '{"error":"invalid_scope","error_description":"No scope is approved."}';
    const refusal = pasted(
      `${command}\necho "token:$ACCESS_TOKEN."`,
      { CLIENT_SECRET: 'sec', ACCESS_TOKEN: 'old' },
      refused,
    );
    expect(refusal.slice(-2)).toEqual([`No token came. ${refused}`, 'token:.']);
  });

  test.each([
    [order, 'ACCESS_TOKEN: first set it'],
    [tokenCommand(`${origin}/oauth/token`, null), 'CLIENT_ID: first set it'],
    [curlOf(origin, { method: 'POST', path: '/oauth/token', client_id }, usd), 'CLIENT_SECRET: first set it'],
  ])('without its variable it says so and sends nothing', (command, words) => {
    const said = pasted(`(${command}) || true`, {});
    expect(said.join(' ')).not.toContain(origin);
    expect(said[0]).toContain(words);
  });
});
