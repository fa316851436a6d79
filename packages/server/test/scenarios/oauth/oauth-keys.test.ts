import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { ChangedClientKeys, ClientAnswer } from '@paydesk/contract';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  fromAnywhere,
  type Person,
  tokenFor,
} from '../../support/desks/platform.ts';
import { type Answer, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { trueNow_ms, withWrongClock } from '../../support/desks/wrong-clock.ts';

const scopes = ['merchant_payments.read'];
const assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
// oxlint-disable-next-line typescript/no-deprecated -- marked so that it is not used in production
const plainHttp = { execute: [openid.allowInsecureRequests] };

let service: TestService;
let owner: Person;
let merchant_no: string;
let desk: Console;
let client: Client;

const keys = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  other: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed: generateKeyPairSync('ed25519'),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  short: generateKeyPairSync('rsa', { modulusLength: 1_024 }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
};
const jwk = (key: KeyObject, more: object = {}): Record<string, unknown> => ({
  ...key.export({ format: 'jwk' }),
  ...more,
});
const ec = (): Record<string, unknown> => jwk(keys.ec.publicKey, { kid: 'ec', use: 'sig' });

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  owner = await addUser(service, 'Olga Owner');
  ({ merchant_no } = await addMerchant(service, owner));
  desk = await consoleOf(service, owner, merchant_no);
});
afterAll(() => service.stop());
beforeEach(async () => {
  client = await addClient(service, merchant_no, { scopes });
});

type Claims = Record<string, unknown>;
const nowS = (): number => Math.floor(Date.now() / 1_000);

const usual = (): Claims => ({
  iss: client.client_id,
  sub: client.client_id,
  aud: `${service.url}/oauth/token`,
  jti: randomUUID(),
  exp: nowS() + 60,
});

/** A signed assertion. */
function assertionOf(claims: Claims = {}, header: Claims = {}, key = keys.ec.privateKey): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg: 'ES256', kid: 'ec', ...header })}.${part({ ...usual(), ...claims })}`;
  const isRsa = key.asymmetricKeyType === 'rsa';
  const signature =
    key.asymmetricKeyType === 'ed25519'
      ? sign(null, Buffer.from(body), key)
      : sign('sha256', Buffer.from(body), isRsa ? key : { key, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

const ask = (
  client_assertion: string,
  more: Record<string, string> = {},
  url = service.url,
): Promise<Answer> =>
  request(`${url}/oauth/token`, 'POST', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: assertion_type,
      client_assertion,
      ...more,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
  });
const answerOf = ({ status, body }: Answer): unknown => (status === 200 ? 200 : [status, body.error]);

const setKeys = (jwks: unknown, client_id = client.client_id) =>
  desk.send<ChangedClientKeys>('PUT', `/clients/${client_id}/keys`, { jwks });
const withSecret = async (one: Client): Promise<unknown> =>
  answerOf(
    await service.send('POST', '/oauth/token', {
      raw: new URLSearchParams({ grant_type: 'client_credentials', ...one }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
    }),
  );

describe.each([90, -90])('D-024 D-164 where the local clock is %i s off, an assertion', (off_s) => {
  test('that is valid by the database’s time is taken once; one that has ended or begins later is refused', async () => {
    await setKeys({ keys: [ec()] });
    const now = Math.floor(trueNow_ms() / 1_000);
    const right = assertionOf({ exp: now + 30, nbf: now, iat: now });
    const ended = assertionOf({ exp: now - 20 });
    const early = assertionOf({ exp: now + 90, nbf: now + 60 });
    const answers = await withWrongClock(off_s, async () => {
      const taken = [await ask(right), await ask(right)];
      return [...taken, await ask(ended), await ask(early)].map(answerOf);
    });
    const refused = [401, 'invalid_client'];
    expect(answers).toEqual([200, refused, refused, refused]);
  });
});

describe('private_key_jwt (RFC 7523)', () => {
  test('D-164 a client with keys gets tokens by assertions only; its secret ends, its tokens stay', async () => {
    const before = await tokenFor(service, client);
    const set = await setKeys({ keys: [ec()] });
    expectAnswer(set, 200, ChangedClientKeys);
    expect(set.body).toEqual({ jwks: { keys: [ec()] } });
    expect(await withSecret(client)).toEqual([401, 'invalid_client']);
    const answer = await ask(assertionOf());
    expect(answer.status).toBe(200);
    const directory = async (token: unknown): Promise<number> =>
      (
        await service.send('GET', '/openapi/v1/merchant-payment-channels', {
          headers: { authorization: `Bearer ${String(token)}` },
        })
      ).status;
    expect([await directory(answer.body.access_token), await directory(before)]).toEqual([200, 200]);
  });

  test('an independent library finds it in the metadata and uses it', async () => {
    await setKeys({ keys: [ec()] });
    const pkcs8 = keys.ec.privateKey.export({ type: 'pkcs8', format: 'der' });
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    const config = await openid.discovery(
      new URL(service.url),
      client.client_id,
      undefined,
      openid.PrivateKeyJwt({ key, kid: 'ec' }),
      plainHttp,
    );
    const metadata = config.serverMetadata();
    expect(metadata.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    expect(metadata.token_endpoint_auth_signing_alg_values_supported).toEqual([
      ...['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
    ]);
    const tokens = await openid.clientCredentialsGrant(config);
    expect(tokens.token_type).toBe('bearer');
    await openid.tokenRevocation(config, tokens.access_token);
  });

  test('several kinds of key, chosen by kid', async () => {
    const set = await setKeys({
      keys: [
        ec(),
        jwk(keys.ed.publicKey, { kid: 'ed' }),
        jwk(keys.rsa.publicKey, { kid: 'rsa', alg: 'RS256' }),
      ],
    });
    expect(set.status).toBe(200);
    expect(answerOf(await ask(assertionOf({}, { alg: 'EdDSA', kid: 'ed' }, keys.ed.privateKey)))).toBe(200);
    expect(answerOf(await ask(assertionOf({}, { alg: 'RS256', kid: 'rsa' }, keys.rsa.privateKey)))).toBe(200);
    expect(answerOf(await ask(assertionOf()))).toBe(200);
  });

  test('an assertion is used once, in all processes together, also at the same time', async () => {
    await setKeys({ keys: [ec()] });
    const other = await service.another();
    const assertion = assertionOf();
    const answers = await Promise.all(
      [service.url, other.url, service.url, other.url, service.url].map((url) => ask(assertion, {}, url)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(answerOf(await ask(assertion))).toEqual([401, 'invalid_client']);
    await other.stop();
  });

  test.each<[string, () => string]>([
    ['another audience', () => assertionOf({ aud: 'https://evil.example/oauth/token' })],
    ['no audience', () => assertionOf({ aud: undefined })],
    ['another issuer', () => assertionOf({ iss: 'cl_nobody' })],
    ['another subject', () => assertionOf({ sub: 'cl_nobody' })],
    ['no jti', () => assertionOf({ jti: undefined })],
    ['no end', () => assertionOf({ exp: undefined })],
    ['an end that is over', () => assertionOf({ exp: nowS() - 60 })],
    ['an end that is far', () => assertionOf({ exp: nowS() + 7_200 })],
    ['another key', () => assertionOf({}, {}, keys.other.privateKey)],
    ['an unknown kid', () => assertionOf({}, { kid: 'none' })],
    ['no signature', () => `${assertionOf({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
    ['a symmetric algorithm', () => assertionOf({}, { alg: 'HS256' })],
  ])('D-165 is refused with %s', async (_what, assertion) => {
    await setKeys({ keys: [ec()] });
    expect(answerOf(await ask(assertion()))).toEqual([401, 'invalid_client']);
  });

  test('the audience may be the issuer', async () => {
    await setKeys({ keys: [ec()] });
    expect(answerOf(await ask(assertionOf({ aud: [service.url] })))).toBe(200);
  });

  test('D-164 not beside a secret, not in the query, not without its type', async () => {
    await setKeys({ keys: [ec()] });
    expect(answerOf(await ask(assertionOf(), { client_secret: 'x' }))).toEqual([400, 'invalid_request']);
    expect(answerOf(await ask(assertionOf(), { client_assertion_type: 'x' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const query = await service.send('POST', `/oauth/token?client_assertion=${assertionOf()}`, {
      raw: 'grant_type=client_credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
    });
    expect(answerOf(query)).toEqual([400, 'invalid_request']);
    const secret = await addClient(service, merchant_no, { scopes });
    const claims = { iss: secret.client_id, sub: secret.client_id };
    expect(answerOf(await ask(assertionOf(claims)))).toEqual([401, 'invalid_client']);
  });
});

describe('the keys of a client', () => {
  test.each<[string, unknown]>([
    ['a private key', { keys: [jwk(keys.ec.privateKey)] }],
    ['a symmetric key', { keys: [{ kty: 'oct', k: 'AAAA' }] }],
    ['a short RSA key', { keys: [jwk(keys.short.publicKey)] }],
    ['a kind whose name every object has', { keys: [{ kty: 'constructor' }] }],
    ['another curve', { keys: [jwk(keys.p384.publicKey)] }],
    ['a point that is not on the curve', { keys: [{ ...ec(), x: 'AAAA' }] }],
    ['an algorithm that does not fit', { keys: [{ ...ec(), alg: 'RS256' }] }],
    ['another use', { keys: [{ ...ec(), use: 'enc' }] }],
    ['a kid twice', { keys: [ec(), ec()] }],
    ['several keys without kid', { keys: [jwk(keys.ec.publicKey), jwk(keys.ed.publicKey)] }],
    ['a kid that is no text', { keys: [{ ...ec(), kid: 'a b' }] }],
  ])('%s is refused, naming jwks', async (_what, jwks) => {
    const refused = (await setKeys(jwks)) as unknown as Answer;
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([
      400,
      'invalid_request',
      'jwks',
    ]);
    expect(await withSecret(client)).toBe(200);
  });

  test.each([[{ keys: [] }], ['x'], [undefined], [{ keys: Array(11).fill({ kty: 'EC' }) }]])(
    '%j is refused',
    async (jwks) => {
      expect((await setKeys(jwks)).status).toBe(400);
    },
  );

  test('are shown; taking them away makes a secret, shown once; a rotation needs none of them', async () => {
    await setKeys({ keys: [ec()] });
    const rotated = await desk.send('POST', `/clients/${client.client_id}/secret-rotation`, {});
    expect(answerOf(rotated)).toEqual([400, 'invalid_request']);
    const { body } = await desk.get<{ items: { client_id: string; jwks: unknown }[] }>('/clients?limit=100');
    expect(body.items.find(({ client_id }) => client_id === client.client_id)?.jwks).toEqual({
      keys: [ec()],
    });
    const back = await setKeys(null);
    expectAnswer(back, 200, ChangedClientKeys);
    const client_secret = back.body.client_secret ?? '';
    expect(await withSecret({ ...client, client_secret })).toBe(200);
    expect(answerOf(await ask(assertionOf()))).toEqual([401, 'invalid_client']);
    expect((await setKeys(null)).body).toEqual({ jwks: null });
    const log = await service.admin('GET', '/audit-log?limit=10');
    expect(JSON.stringify(log)).toContain('client.set-keys');
    expect(JSON.stringify(log)).not.toContain(client_secret);
  });

  test('are set by an administrator too, with a reason', async () => {
    const path = `/admin/v1/clients/${client.client_id}/keys`;
    const headers = { authorization: 'Bearer test-administration-key' };
    const silent = await service.send('PUT', path, { headers, body: { jwks: { keys: [ec()] } } });
    expect([silent.status, silent.body.field]).toEqual([400, 'reason']);
    const body = { jwks: { keys: [ec()] }, reason: 'asked by mail' };
    expectAnswer(await service.send('PUT', path, { headers, body }), 200, ClientAnswer);
    expect(answerOf(await ask(assertionOf()))).toBe(200);
  });

  test('R-380 belong only to their merchant, and are not for public clients', async () => {
    const stranger = await addUser(service, 'Sam Stranger');
    const theirs = await addMerchant(service, stranger);
    const there = await consoleOf(service, stranger, theirs.merchant_no);
    const refused = await there.send('PUT', `/clients/${client.client_id}/keys`, { jwks: { keys: [ec()] } });
    expect(refused.status).toBe(404);
    const open = await addClient(service, merchant_no, { type: 'public' });
    expect((await setKeys({ keys: [ec()] }, open.client_id)).status).toBe(400);
  });
});
