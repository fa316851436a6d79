import { operations } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { tokenHash } from '../../../src/base/secret-box.ts';
import { type Scope, scopes, userScopes } from '../../../src/oauth/clients/scopes.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  type Person,
  tokenFor,
} from '../../support/desks/platform.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';
import { type Authorizer, authorizerOf } from '../../support/people/user-token.ts';
import { beside } from '../../support/desks/wallets.ts';

/** Tokens of the client-credentials grant, tokens that a user authorized, or both. */
type Kind = 'client' | 'user';

/**
 * A call with its required scope and kinds of token. The ids in the paths do not exist: an authorized call gets
 * 400 or 404.
 */
interface Row {
  method: 'GET' | 'POST';
  path: string;
  scope: Scope;
  kinds: readonly Kind[];
}

const row = (method: Row['method'], path: string, scope: Scope, ...kinds: Kind[]): Row => ({
  ...{ method, path, scope, kinds },
});

const orders = '/openapi/v1/merchant-payments';
const order = `${orders}/mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF`;
const event = 'ne_01JNXW900E4S8D2G6J1KC5P7VA';

const collection = [
  row('GET', '/openapi/v1/merchant-payment-channels', 'merchant_payments.read', 'client'),
  row('POST', orders, 'merchant_payments.create', 'client'),
  row('GET', `${orders}?external_reference=a`, 'merchant_payments.read', 'client'),
  row('GET', order, 'merchant_payments.read', 'client'),
  row('GET', `${order}/notifications`, 'merchant_payments.read', 'client'),
  row('POST', `${order}/notifications/${event}/retry`, 'merchant_payments.create', 'client'),
];
const bought = '/openapi/v1/orders/co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF';
const catalog = [
  row('GET', '/openapi/v1/merchant', 'merchant.profile.read', 'client', 'user'),
  row('GET', '/openapi/v1/products', 'products.read', 'client', 'user'),
  row('POST', '/openapi/v1/orders', 'orders.create', 'user'),
  row('GET', bought, 'orders.read', 'user'),
  row('POST', `${bought}/payment`, 'payments.create', 'user'),
  row('GET', `${bought}/payment`, 'payments.read', 'user'),
];
const people = [row('GET', '/oauth/userinfo', 'openid', 'user')];

const rows = [...collection, ...catalog, ...people];

let service: TestService;
let client: Client;
let person: Person;
let authorizer: Authorizer;

const redirect_uri = 'https://shop.example/back';

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  const owner = await addUser(service, 'Olga Owner');
  person = await addUser(service, 'Bo Buyer');
  const { merchant_no } = await addMerchant(service, owner);
  client = await addClient(service, merchant_no, { scopes, redirect_uris: [redirect_uri] });
  authorizer = await authorizerOf(service, person, client, redirect_uri);
});
afterAll(() => service.stop());

/** A token that no user could have authorized, for calls that are refused by the kind of token. */
async function forged(carried: readonly Scope[]): Promise<string> {
  const token = systemIds().secret(32);
  await beside(service, (db) =>
    db.query(sql`INSERT INTO oauth_tokens
      (token_hash, client_id, user_id, grant_hash, scopes, payload, created_at, expires_at)
      VALUES (${tokenHash(token)}, ${client.client_id}, ${person.user_id}, ${null}, ${carried}, '{}',
        ${new Date(0)}, ${new Date(4e12)})`),
  );
  return token;
}

const issued = new Map<string, Promise<string>>();

/** A token of this kind with these scopes, issued by the front door where that is possible. */
function tokenWith(kind: Kind, carried: readonly Scope[]): Promise<string> {
  const key = `${kind} ${carried.join(' ')}`;
  const known = issued.get(key);
  if (known !== undefined) return known;
  const issue = (): Promise<string> => {
    if (kind === 'client') return tokenFor(service, client, carried.join(' '));
    const possible = carried.every((scope) => userScopes.includes(scope));
    return possible ? authorizer.token(carried.join(' ')) : forged(carried);
  };
  const token = issue();
  issued.set(key, token);
  return token;
}

const call = async ({ method, path }: Row, token: string): Promise<Answer> =>
  service.send(method, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'POST' ? { body: {} } : {}),
  });

const everythingBut = (scope: Scope): Scope[] => scopes.filter((other) => other !== scope);
const named = rows.map((one) => ({ ...one, name: `${one.method} ${one.path}` }));

describe.each(named)('R-310 $name', (one) => {
  const { scope, kinds } = one;
  const otherKinds = (['client', 'user'] as const).filter((kind) => !kinds.includes(kind));

  test.each(kinds)(`accepts a %s token with only ${scope}`, async (kind) => {
    const { status } = await call(one, await tokenWith(kind, [scope]));
    expect([200, 400, 404]).toContain(status);
  });

  test.each(kinds)('R-309 H-13 refuses a %s token with every other scope', async (kind) => {
    const { status, body, headers } = await call(one, await tokenWith(kind, everythingBut(scope)));
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
  });

  test.each(otherKinds)(
    'R-308 R-321 refuses a %s token, with any scopes, and names the required kind',
    async (kind) => {
      const wanted = kind === 'user' ? 'client_credentials_required' : 'user_authorization_required';
      for (const carried of [[scope], scopes, everythingBut(scope)]) {
        const { status, body } = await call(one, await tokenWith(kind, carried));
        expect([carried, status, body.error]).toEqual([carried, 403, wanted]);
      }
    },
  );

  test('R-306 refuses a call without a token', async () => {
    const { status, body } = await service.send(
      one.method,
      one.path,
      one.method === 'POST' ? { body: {} } : {},
    );
    expect([status, body.error]).toEqual([401, 'invalid_token']);
  });
});

test('R-310 R-322 every call that takes a token is in the matrix, with its scope and kind', () => {
  const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const demanded = operations.flatMap(({ method, place, security }) =>
    (security.by === 'merchant_token' || security.by === 'user_token') && 'path' in place
      ? [{ method, path: place.path, ...security }]
      : [],
  );
  expect(new Set(demanded.map(({ by }) => by))).toEqual(new Set(['merchant_token', 'user_token']));
  for (const { method, path, by, scope } of demanded) {
    const found = rows.filter(
      (one) => one.method.toLowerCase() === method && pattern(path).test(one.path.split('?', 1)[0] ?? ''),
    );
    const kind = by === 'user_token' ? 'user' : 'client';
    expect([method, path, found.map((one) => [one.scope, one.kinds.includes(kind)])]).toEqual([
      method,
      path,
      [[scope, true]],
    ]);
  }
});
