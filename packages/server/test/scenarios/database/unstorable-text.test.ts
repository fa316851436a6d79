import { adminOperations, operations, type Operation } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/oauth/clients/scopes.ts';
import {
  addClient,
  type Client,
  fromAnywhere,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
  tokenFor,
} from '../../support/desks/platform.ts';
import { startTestService, type TestService } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';

const redirect_uri = 'https://shop.example/back';
type Headers = Record<string, string>;

let service: TestService;
let platform: Platform;
let order: Order;
/** May do all that a client may. */
let client: Client;
/** The credentials of a call, by its kind of authentication. */
let credentials: Record<Operation['security']['by'], Headers>;

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  platform = await setUpPlatform(service);
  order = await (await merchantOf(service, platform.client)).order();
  client = await addClient(service, platform.merchant_no, { scopes, redirect_uris: [redirect_uri] });
  const person = await authorizerOf(service, platform.buyer, client, redirect_uri);
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  const ours = { origin: new URL(service.url).origin };
  const merchant_token = bearer(await tokenFor(service, client, scopes.join(' ')));
  credentials = {
    merchant_token,
    any_token: merchant_token,
    user_token: bearer(
      await person.token('openid email orders.create orders.read payments.create payments.read'),
    ),
    checkout_token: {
      ...ours,
      'x-checkout-token': new URL(order.checkout_url).searchParams.get('token') ?? '',
    },
    session_cookie: { ...ours, cookie: await signIn(service, platform.owner) },
    administrator: bearer('test-administration-key'),
    client_credentials: {},
    nothing: ours,
  };
});
afterAll(() => service.stop());

/** Whether a request was understood; if not, which part refused it. It is never a fault of the service. */
async function refusal(call: Operation, path: string, sent: { raw?: string; type?: string } = {}) {
  const { raw, type } = sent;
  const { status, body, text } = await service.send(call.method.toUpperCase(), path, {
    headers: {
      ...credentials[call.security.by],
      ...fromAnywhere(),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(raw === undefined ? {} : { raw }),
  });
  return [status, typeof body === 'object' ? body.error : text];
}

const calls = [...operations, ...adminOperations].map((call) => {
  const at = { token_endpoint: '/oauth/token', userinfo_endpoint: '/oauth/userinfo' };
  const path = 'path' in call.place ? call.place.path : at[call.place.at];
  return { call, id: call.id, path };
});
/** The address with its merchant and order, the number of a session, and another identifier in every other place. */
const filled = (path: string, other: string): string =>
  path
    .replace('{merchant_no}', platform.merchant_no)
    .replace(/(?<=^\/checkout\/.*)\{order_no\}/, order.order_no)
    .replace('{session_id}', 's'.repeat(22))
    .replaceAll(/\{\w+\}/g, other);

describe('H-06 H-22 D-016 text that the database cannot store is refused by every call', () => {
  test.each(calls.filter(({ call }) => call.body?.type === 'application/json'))(
    '$id: NUL and half a character in a body',
    async ({ call, path }) => {
      for (const text of ['a\\u0000b', '\\ud800']) {
        const sent = { raw: `{"name":"${text}","method_id":"${text}"}`, type: 'application/json' };
        expect(await refusal(call, filled(path, 'x'), sent)).toEqual([400, 'invalid_request']);
      }
    },
  );

  test.each(calls)('$id: NUL and bytes that are no text in a query', async ({ call, path }) => {
    const sent =
      call.body?.type === 'application/json'
        ? { raw: '{}', type: 'application/json' }
        : { type: 'text/plain' };
    for (const query of ['q=a%00', 'q=%ED%A0%80']) {
      expect(await refusal(call, `${filled(path, 'x')}?${query}`, sent)).toEqual([400, 'invalid_request']);
    }
  });

  test.each(calls.filter(({ path }) => path.includes('{')))(
    '$id: the same in a path',
    async ({ call, path }) => {
      for (const part of ['a%00b', '%ED%A0%80']) {
        const asked = path.replaceAll(/\{\w+\}/g, part);
        expect(await refusal(call, asked)).toEqual([404, 'not_found']);
      }
    },
  );

  test.each(['/sign-in', '/sign-up'])('D-1338 NUL in the path that %s leads back to', async (page) => {
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const query = new URLSearchParams({ return_to: `/checkout/a%00b?token=${token}` });
    const { status } = await service.send('GET', `${page}?${query.toString()}`, { headers: fromAnywhere() });
    expect(status).toBeLessThan(500);
  });

  const forms: [page: string, field: string][] = [
    ['/sign-in', 'email'],
    ['/sign-in', 'return_to'],
    ['/sign-in/second-factor', 'code'],
    ['/sign-out', 'return_to'],
    ['/forgot-password', 'email'],
    ['/reset-password', 'token'],
    ['/account/name', 'name'],
    ['/account/password', 'password'],
    ['/oauth/interaction/x', 'decision'],
    ['/checkout/{order_no}/pay', 'method_id'],
    ['/checkout/{order_no}/pay', 'token'],
    ['/orders/co_x/payment', 'x'],
  ];
  test.each(forms)('NUL and bytes that are no text in the form of %s: %s', async (page, field) => {
    for (const text of ['a%00b', '%ED%A0%80']) {
      const { status } = await service.send('POST', filled(page, order.order_no), {
        headers: {
          ...credentials.session_cookie,
          ...fromAnywhere(),
          'content-type': 'application/x-www-form-urlencoded',
        },
        raw: `${field}=${text}`,
      });
      expect(status).toBe(400);
    }
  });

  const grants = {
    client_credentials: ['client_id', 'client_secret', 'scope'],
    authorization_code: ['client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier'],
  };
  const fields = Object.entries(grants).flatMap(([grant, names]) =>
    names.map((name) => [grant, name] as const),
  );
  test.each(fields)('D-165 the same in a token request: %s %s', async (grant_type, field) => {
    const form = new URLSearchParams({ grant_type, ...client, code: 'x', redirect_uri, code_verifier: 'x' });
    form.delete(field);
    for (const text of ['a%00b', '%ED%A0%80']) {
      const { status, body } = await service.send('POST', '/oauth/token', {
        headers: { ...fromAnywhere(), 'content-type': 'application/x-www-form-urlencoded' },
        raw: `${form.toString()}&${field}=${text}`,
      });
      const known = field.startsWith('client_') ? [401, 'invalid_client'] : [400, expect.any(String)];
      expect([status, body.error]).toEqual(known);
    }
  });
});
