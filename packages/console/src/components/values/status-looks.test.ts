import { adminOpenapi, collectionStatuses, openapi } from '@paydesk/contract';
import { expect, test } from 'vitest';
import { looks } from './status-looks.ts';

const addresses = {
  base_url: 'https://pay.example',
  token_endpoint: 'https://pay.example/oauth/token',
  userinfo_endpoint: 'https://pay.example/oauth/userinfo',
};

/** Enumerations called a status that are none of an object's life: nothing shows them as a badge. */
const noBadge = ['FeeStatus', 'ListApiRequestsStatus'];

const statusesOf = (document: { components: { schemas: object } }): string[] =>
  Object.entries(document.components.schemas as Record<string, { enum?: string[] }>)
    .filter(([name]) => /(?:Status|State)$/.test(name) && !noBadge.includes(name))
    .flatMap(([, schema]) => schema.enum ?? []);

test('D-210 every status of the contract has a colour and a sign', () => {
  const statuses = new Set([openapi, adminOpenapi].flatMap((of) => statusesOf(of(addresses))));
  expect(statuses.size).toBeGreaterThan(20);
  expect([...statuses].filter((status) => !(status in looks))).toEqual([]);
});

test('D-210 the statuses of an order differ in colour and in sign', () => {
  const order = collectionStatuses.map((status) => looks[status]);
  expect(new Set(order.map((look) => look?.color)).size).toBe(collectionStatuses.length);
  expect(new Set(order.map((look) => look?.Icon)).size).toBe(collectionStatuses.length);
});
