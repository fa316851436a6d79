import { expect, test } from 'vitest';
import { adminOperations } from './admin/operations.ts';
import { adminOpenapi, openapi, operations } from './document.ts';
import { methods } from './model.ts';

const base_url = 'https://pay.example';
const addresses = {
  base_url,
  token_endpoint: `${base_url}/oauth/token`,
  userinfo_endpoint: `${base_url}/oauth/userinfo`,
};
const document = adminOpenapi(addresses);
const text = JSON.stringify(document);

test('the document of the administration API is plain JSON, and every reference leads somewhere', () => {
  expect(JSON.parse(text)).toEqual(document);
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(refs.length).toBeGreaterThan(0);
  for (const [, part = '', name = ''] of refs) {
    expect(document.components).toHaveProperty([part, name]);
  }
});

test('each call demands the key or a session, and declares every part of its path', () => {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [{ path, operation: item[method] }])),
  );
  expect(calls).toHaveLength(adminOperations.length);
  for (const { path, operation } of calls) {
    expect(operation.security).toEqual([{ administration_key: [] }, { session_cookie: [] }]);
    const declared = (operation.parameters ?? []).filter((one) => one.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
  }
});

test('an id names one call in both documents, and a name of a schema one schema', () => {
  const ids = [...operations, ...adminOperations].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const others = openapi(addresses).components.schemas;
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (Object.hasOwn(others, name)) expect(others[name]).toEqual(schema);
  }
});
