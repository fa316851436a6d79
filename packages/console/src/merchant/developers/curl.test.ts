import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const origin = 'https://pay.example/desk';

test.each([
  [
    'a read',
    { method: 'GET', path: '/openapi/v1/merchant-payments/mp_1' },
    `curl -X GET 'https://pay.example/desk/openapi/v1/merchant-payments/mp_1' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
  ],
  [
    'a write, whose body is not kept',
    { method: 'POST', path: '/openapi/v1/merchant-payments' },
    `curl -X POST 'https://pay.example/desk/openapi/v1/merchant-payments' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  --data @request.json`,
  ],
  [
    'a token',
    { method: 'POST', path: '/oauth/token' },
    `curl -X POST 'https://pay.example/desk/oauth/token' \\\n  -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d 'grant_type=client_credentials'`,
  ],
  [
    'a path that a shell would run',
    { method: 'GET', path: `/x';rm -rf $HOME` },
    `curl -X GET 'https://pay.example/desk/x'\\'';rm -rf $HOME' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
  ],
])('D-218 %s as curl', (_, request, expected) => {
  expect(curlOf(origin, request)).toBe(expected);
});
