import { caseActions } from '@paydesk/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { texts } from '../../../console/src/texts/acts/en.ts';

const root = new URL('../../src/', import.meta.url);
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(new URL(path, root), 'utf8'));

/** The nouns of acts, such as `order` of `order.refund`. Scopes and members of bodies have others, but for these. */
const nouns = new Set(Object.keys(texts).map((action) => action.split('.')[0]));
const others = /^(?:orders\.(?:read|create)|session\.id)$/;

test('D-491 the consoles have words for every act that the service writes into the audit log', () => {
  const literal = /'([a-z_-]+)\.([a-z-]+)'/g;
  const named = sources.flatMap((source) => [
    ...[...source.matchAll(/\baction: '([a-z_-]+\.[a-z-]+)'/g)].map(([, action = '']) => action),
    ...[...source.matchAll(literal)].flatMap(([, noun = '', verb = '']) =>
      nouns.has(noun) && !others.test(`${noun}.${verb}`) ? [`${noun}.${verb}`] : [],
    ),
  ]);
  const made = [
    ...caseActions.map((action) => `case.${action}`),
    ...['approve', 'reject'].map((decision) => `scope-application.${decision}`),
  ];
  const acts = new Set([...named, ...made]);
  expect(acts.size).toBeGreaterThan(80);
  expect([...acts].filter((action) => !(action in texts))).toEqual([]);
});
