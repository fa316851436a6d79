import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import Value from 'typebox/value';
import Type from 'typebox';
import { errorTable, statusOf, type ErrorCode } from '../errors.ts';
import { scopeDescriptions } from '../oauth.ts';
import { collectComponents } from './components.ts';
import { openapi, operations } from './document.ts';
import { type JsonSchema, methods, type OperationObject } from './model.ts';

const addresses = {
  base_url: 'https://pay.example/prefix',
  token_endpoint: 'https://pay.example/prefix/oauth/token',
  userinfo_endpoint: 'https://pay.example/prefix/oauth/userinfo',
};
const document = openapi(addresses);

const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) =>
    item[method] === undefined ? [] : [{ path, method, operation: item[method] }],
  ),
);
const webhook = document.webhooks['merchant_payment.status_changed']?.post as OperationObject;
const named = calls.map((call): [string, (typeof calls)[number]] => [`${call.method} ${call.path}`, call]);

/** Every value under every member called `$ref`. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  );
}

/** The value that a pointer of this document names. */
const resolve = (ref: string): unknown =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);

/** The schema with every reference replaced by what it names. */
function whole(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return whole(resolve(schema.$ref) as JsonSchema);
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]: [string, unknown]) => {
      if (name === 'properties') {
        const members = Object.entries(member as Record<string, JsonSchema>);
        return [name, Object.fromEntries(members.map(([key, one]) => [key, whole(one)]))];
      }
      if (name === 'items') return [name, whole(member as JsonSchema)];
      if (['anyOf', 'oneOf', 'allOf'].includes(name)) return [name, (member as JsonSchema[]).map(whole)];
      return [name, member];
    }),
  );
}

const faults = (schema: JsonSchema, value: unknown): unknown[] => [
  ...Value.Errors(Type.Unsafe(whole(schema) as Type.TSchema), value),
];

/** Every call with the security and the scope that it demands. */
const securityOfCalls = {
  'post /oauth/token': { client_basic: [] },
  'post /oauth/revoke': { client_basic: [] },
  'get /oauth/userinfo': { user_token: ['openid'] },
  'post /openapi/v1/merchant-payments': { merchant_token: ['merchant_payments.create'] },
  'get /openapi/v1/merchant-payments': { merchant_token: ['merchant_payments.read'] },
  'get /openapi/v1/merchant-payments/{order_no}': { merchant_token: ['merchant_payments.read'] },
  'get /openapi/v1/merchant-payment-channels': { merchant_token: ['merchant_payments.read'] },
  'get /openapi/v1/merchant': { merchant_token: ['merchant.profile.read'] },
  'get /openapi/v1/products': { merchant_token: ['products.read'] },
  'get /console/v1/merchants/{merchant_no}/products': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/products.csv': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/products': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/products/{gd_no}': { session_cookie: [] },
  'patch /console/v1/merchants/{merchant_no}/products/{gd_no}': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/settings': { session_cookie: [] },
  'patch /console/v1/merchants/{merchant_no}/settings': { session_cookie: [] },
  'post /openapi/v1/orders': { user_token: ['orders.create'] },
  'get /openapi/v1/orders/{order_no}': { user_token: ['orders.read'] },
  'post /openapi/v1/orders/{order_no}/payment': { user_token: ['payments.create'] },
  'get /openapi/v1/orders/{order_no}/payment': { user_token: ['payments.read'] },
  'get /console/v1/merchants/{merchant_no}/catalog-orders': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/catalog-orders.csv': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/catalog-orders/{order_no}': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/catalog-orders/{order_no}/fulfilment': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/products/{gd_no}/codes': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/products/{gd_no}/codes': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/products/{gd_no}/codes/withdrawal': { session_cookie: [] },
  'get /openapi/v1/merchant-payments/{order_no}/notifications': {
    merchant_token: ['merchant_payments.read'],
  },
  'post /openapi/v1/merchant-payments/{order_no}/notifications/{event_id}/retry': {
    merchant_token: ['merchant_payments.create'],
  },
  'get /checkout/api/{order_no}': { checkout_token: [] },
  'post /checkout/api/{order_no}/payments': { checkout_token: [] },
  'post /checkout/api/{order_no}/payments/close': { checkout_token: [] },
  'post /session': null,
  'post /session/second-factor': null,
  'get /session': { session_cookie: [] },
  'post /session/reauthenticate': { session_cookie: [] },
  'get /session/list': { session_cookie: [] },
  'patch /console/v1/merchants/{merchant_no}/clients/{client_id}': { session_cookie: [] },
  'delete /session': { session_cookie: [] },
  'delete /session/{session_id}': { session_cookie: [] },
  'get /console/v1/merchants': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/home': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/sales': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/wallet/releases': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/reconciliation': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/payment-channels': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/people': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/people': { session_cookie: [] },
  'patch /console/v1/merchants/{merchant_no}/people/{user_id}': { session_cookie: [] },
  'delete /console/v1/merchants/{merchant_no}/people/{user_id}': { session_cookie: [] },
  'delete /console/v1/merchants/{merchant_no}/people/invitations/{invitation_id}': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/statement-exports': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/statement-exports': { session_cookie: [] },
  'put /console/v1/merchants/{merchant_no}/statement-exports/{export_id}': { session_cookie: [] },
  'delete /console/v1/merchants/{merchant_no}/statement-exports/{export_id}': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/statement-exports/{export_id}/sending': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/payment-links': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/payment-links': { session_cookie: [] },
  'delete /console/v1/merchants/{merchant_no}/payment-links/{link}': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/collection-orders': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes': { session_cookie: [] },
  'delete /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes/{note_id}': {
    session_cookie: [],
  },
  'get /console/v1/merchants/{merchant_no}/search': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/activity': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/statements': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/statements/{period}/statement.csv': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/statements/{period}/statement.pdf': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/currencies': { session_cookie: [] },
  'get /console/v1/views': { session_cookie: [] },
  'put /console/v1/views': { session_cookie: [] },
  'patch /console/v1/views/{view_id}': { session_cookie: [] },
  'delete /console/v1/views/{view_id}': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/collection-order-count': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/collection-orders': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/collection-orders.csv': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/collection-orders/{order_no}': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/wallet': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/wallet/statement': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/wallet/statement.csv': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/clients': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/api-requests': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/clients': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/clients/{client_id}/scope-applications': {
    session_cookie: [],
  },
  'post /console/v1/merchants/{merchant_no}/clients/{client_id}/secret-rotation': { session_cookie: [] },
  'put /console/v1/merchants/{merchant_no}/clients/{client_id}/keys': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/notification-settings': { session_cookie: [] },
  'put /console/v1/merchants/{merchant_no}/notification-settings': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/notification-settings/rotation': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/notification-health': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/test-event': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/quickstart': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/notifications': { session_cookie: [] },
  'get /console/v1/merchants/{merchant_no}/notifications.csv': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/notifications/{event_id}/retry': { session_cookie: [] },
  'post /console/v1/merchants/{merchant_no}/notifications/retry-failed': { session_cookie: [] },
};

describe('the OpenAPI document', () => {
  test('is plain JSON of OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test('every reference leads somewhere, and every schema is referred to', () => {
    const refs = new Set(refsIn(document));
    expect([...refs].filter((ref) => resolve(ref) === undefined)).toEqual([]);
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(schemas.filter((ref) => !refs.has(ref))).toEqual([]);
  });

  test('R-310, R-017 it has these calls, each with the security and the scope that it demands', () => {
    const demanded = named.map(([name, { operation }]) => [name, operation.security[0] ?? null]);
    expect(Object.fromEntries(demanded)).toEqual(securityOfCalls);
  });

  test('R-322 profile and products are for tokens of either kind', () => {
    const either = named.filter(([, { operation }]) => operation.security.some((one) => 'user_token' in one));
    const both = either.filter(([, { operation }]) => operation.security.length === 2).map(([name]) => name);
    expect(both).toEqual(['get /openapi/v1/merchant', 'get /openapi/v1/products']);
  });

  test('H-28 success statuses are exact: 201 for a creation, 202 for a replay, 200 for the others', () => {
    const statuses = named.map(([name, { operation }]): [string, string] => [
      name,
      Object.keys(operation.responses)
        .filter((status) => status.startsWith('2'))
        .join(' '),
    ]);
    const others = statuses.filter(([, successes]) => successes !== '200');
    expect(Object.fromEntries(others)).toEqual({
      'post /openapi/v1/merchant-payments': '201',
      'post /openapi/v1/orders': '201',
      'post /console/v1/merchants/{merchant_no}/products': '201',
      'post /console/v1/merchants/{merchant_no}/products/{gd_no}/codes': '201',
      'post /openapi/v1/merchant-payments/{order_no}/notifications/{event_id}/retry': '202',
      'post /openapi/v1/orders/{order_no}/payment': '200 202',
      'post /checkout/api/{order_no}/payments': '200 202',
      'post /checkout/api/{order_no}/payments/close': '200 202',
      'post /console/v1/merchants/{merchant_no}/payment-links': '201',
      'post /console/v1/merchants/{merchant_no}/collection-orders': '201',
      'post /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes': '201',
      'post /console/v1/merchants/{merchant_no}/people': '201',
      'post /console/v1/merchants/{merchant_no}/clients': '201',
      'post /console/v1/merchants/{merchant_no}/clients/{client_id}/scope-applications': '201',
      'post /console/v1/merchants/{merchant_no}/notifications/{event_id}/retry': '202',
      'post /console/v1/merchants/{merchant_no}/notifications/retry-failed': '202',
      'post /console/v1/merchants/{merchant_no}/statement-exports': '201',
      'post /console/v1/merchants/{merchant_no}/statement-exports/{export_id}/sending': '202',
    });
  });

  test('operation ids are there once, and their tags are declared', () => {
    const all = [...calls.map(({ operation }) => operation), webhook];
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(operations.length + 1);
    const tags = new Set(document.tags.map(({ name }) => name));
    expect(all.flatMap((operation) => operation.tags).filter((tag) => !tags.has(tag))).toEqual([]);
    const used = new Set(all.flatMap((operation) => operation.tags));
    expect(used).toEqual(tags);
  });
});

describe.each(named)('the OpenAPI document: %s', (_name, { path, operation }) => {
  test('names schemes and scopes that exist', () => {
    const { securitySchemes } = document.components;
    expect(securitySchemes.merchant_token?.flows?.clientCredentials?.scopes).toEqual(scopeDescriptions);
    for (const [scheme, wanted] of operation.security.flatMap((one) => Object.entries(one))) {
      expect(securitySchemes).toHaveProperty(scheme);
      const { clientCredentials, authorizationCode } = securitySchemes[scheme]?.flows ?? {};
      const { scopes } = clientCredentials ?? authorizationCode ?? {};
      for (const scope of wanted) expect(scopes).toHaveProperty([scope]);
    }
  });

  test('declares every part of its path', () => {
    const declared = (operation.parameters ?? []).filter((one) => one.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  test('R-368, R-373 answers each error under the status of the table, with an example of its body', () => {
    const failures = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'));
    expect(failures.map(([status]) => status)).toContain('500');
    for (const [status, { description, content = {} }] of failures) {
      const media = content['application/json'];
      const codes = Object.keys(media?.examples ?? {}) as ErrorCode[];
      expect(codes.length).toBeGreaterThan(0);
      expect(media?.schema).toEqual({ $ref: '#/components/schemas/ErrorAnswer' });
      for (const code of codes) {
        expect(String(statusOf(code))).toBe(status);
        expect(description).toContain(`\`${code}\`: ${errorTable[code][1]}`);
        const example = media?.examples?.[code]?.value;
        expect(example).toMatchObject({ error: code });
        expect(faults(media?.schema ?? {}, example)).toEqual([]);
      }
    }
  });

  test('R-371, H-13, H-16 says which headers come with 401, 429 and 503', () => {
    const headersOf = (status: string) => Object.keys(operation.responses[status]?.headers ?? {});
    for (const status of ['429', '503'].filter((one) => operation.responses[one] !== undefined)) {
      expect(headersOf(status)).toContain('Retry-After');
    }
    if (operation.responses['401'] !== undefined) expect(headersOf('401')).toContain('WWW-Authenticate');
  });

  test('gives examples that its schemas accept', () => {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    const media = bodies.flatMap((body) => Object.values(body?.content ?? {}));
    for (const { schema, example, examples = {} } of media) {
      const values = [example, ...Object.values(examples).map(({ value }) => value)];
      for (const value of values.filter((one) => one !== undefined)) {
        expect(faults(schema, value)).toEqual([]);
      }
    }
  });
});

describe('the webhook and the addresses of the OpenAPI document', () => {
  test('R-268 the webhook has its headers and an example that its schema accepts', () => {
    expect(webhook.parameters?.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['X-Service-Event-ID', 'header', true],
      ['X-Service-Timestamp', 'header', true],
      ['X-Service-Signature', 'header', true],
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, 'header', true]),
    ]);
    const media = webhook.requestBody?.content['application/json'];
    expect(faults(media?.schema ?? {}, media?.example)).toEqual([]);
    const [id, at, signature, ...standard] = webhook.parameters?.map(({ example }) => example) ?? [];
    const sign = (text: string) =>
      createHmac('sha256', 'example-secret-of-your-notifications').update(
        text + JSON.stringify(media?.example),
      );
    expect(signature).toBe(`sha256=${sign(`${at}.`).digest('hex')}`);
    expect(standard).toEqual([id, at, `v1,${sign(`${id}.${at}.`).digest('base64')}`]);
  });

  test('R-001 addresses are appended to the base address, whose prefix is kept', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['https://pay.example/prefix']);
    expect(document.paths['/oauth/token']?.servers).toBeUndefined();
  });

  test('R-002 a token endpoint at another address has its own server entry', () => {
    const elsewhere = openapi({ ...addresses, token_endpoint: 'https://login.example/t/token' });
    expect(elsewhere.paths['/t/token']?.servers).toEqual([{ url: 'https://login.example' }]);
    expect(elsewhere.paths['/t/token']?.post?.operationId).toBe('getToken');
    expect(elsewhere.paths['/oauth/token']).toBeUndefined();
    const flow = elsewhere.components.securitySchemes.merchant_token?.flows?.clientCredentials;
    expect(flow?.tokenUrl).toBe('https://login.example/t/token');
  });

  test('R-002, D-1045 so has a user-information endpoint', () => {
    const elsewhere = openapi({ ...addresses, userinfo_endpoint: 'https://login.example/t/me' });
    expect(elsewhere.paths['/t/me']?.servers).toEqual([{ url: 'https://login.example' }]);
    expect(elsewhere.paths['/t/me']?.get?.operationId).toBe('readUserInfo');
    expect(elsewhere.paths['/oauth/userinfo']).toBeUndefined();
  });

  test('D-241 optional members of requests have no `default`, so that generators do not demand them', () => {
    const { CreateCollectionOrder } = document.components.schemas;
    expect(CreateCollectionOrder?.required).not.toContain('expires_in');
    expect(CreateCollectionOrder?.properties?.expires_in).not.toHaveProperty('default');
    expect(CreateCollectionOrder?.properties?.expires_in?.description).toContain('Default: `1800`.');
  });

  test('two schemas cannot share a name', () => {
    const components = collectComponents();
    components.use(Type.Object({ a: Type.String() }, { title: 'Thing' }));
    expect(() => components.use(Type.Object({ b: Type.String() }, { title: 'Thing' }))).toThrow(/Thing/);
  });
});
