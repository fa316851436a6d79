import { describe, expect, test } from 'vitest';
import { copiesLive, type Engine, hindrancesOf, problemsOf } from './engine.ts';
import { type MarkedTable, placementsOf } from './marks.ts';

const table = (name: string, mark: string | null, placed: string | null = null): MarkedTable => ({
  ...{ table: name, mark, placed },
});

describe('D-336 the marks of tables say where they are placed', () => {
  test('tables of one owner lie beside each other, all others on every node', () => {
    const placements = placementsOf([
      table('balances', 'by merchant_id'),
      table('lines', 'by user_id'),
      table('merchants', 'by merchant_id'),
      table('rates', 'on every node'),
      table('wallets', 'by user_id'),
    ]);
    expect(placements.map((one) => [one.table, one.column, one.beside])).toEqual([
      ['balances', 'merchant_id', null],
      ['lines', 'user_id', null],
      ['merchants', 'merchant_id', 'balances'],
      ['rates', null, null],
      ['wallets', 'user_id', 'lines'],
    ]);
  });

  test('a table that is already placed does not change, and others are placed beside it', () => {
    const placements = placementsOf([
      table('balances', 'by merchant_id'),
      table('merchants', 'by merchant_id', 'by merchant_id'),
      table('rates', 'on every node', 'on every node'),
    ]);
    expect(placements).toEqual([
      { table: 'balances', mark: 'by merchant_id', column: 'merchant_id', beside: 'merchants' },
    ]);
  });

  test.each([
    ['no mark', table('a', null), /^The table a does not say where a distributed database keeps it/],
    ['another comment', table('a', 'rates of a day'), /^The table a does not say/],
    [
      'another place',
      table('a', 'by merchant_id', 'on every node'),
      /^The table a lies on every node, and must/,
    ],
  ])('refused: %s', (_, one, words) => {
    expect(() => placementsOf([one])).toThrow(words);
  });
});

describe('D-336 a cluster that is not ready is refused in words', () => {
  const node = { host: 'c', port: 5432, group: 0, active: true, holds_shards: false };
  const worker = { ...node, host: 'w', group: 1, holds_shards: true };
  const of = { prepared: 100, connections: 100, wal_level: 'logical', plugins: null };
  const limits = ['c:5432', 'w:5432'].map((address) => ({ ...of, node: address }));
  const engine: Engine = { version: '13.2-1', nodes: [node, worker], limits, without_key: [] };

  test('a ready one has no problems', () => {
    expect(problemsOf(engine)).toEqual([]);
  });

  test.each<[string, Engine | null, string[]]>([
    ['no engine', null, ['has no Citus']],
    ['an old version', { ...engine, version: '11.3-1' }, ['Citus 11.3-1 is too old']],
    ['a coordinator without an address', { ...engine, nodes: [worker] }, ['citus_set_coordinator_host']],
    ['no worker', { ...engine, nodes: [node] }, ['There is no worker']],
    [
      'a worker that is away',
      { ...engine, nodes: [node, { ...worker, active: false }], limits: limits.slice(0, 1) },
      ['w:5432 is not active', 'w:5432 does not answer'],
    ],
    [
      'too few prepared transactions',
      { ...engine, limits: [{ ...of, node: 'c:5432', prepared: 0 }, ...limits.slice(1)] },
      ['max_prepared_transactions of c:5432 is 0: set it to max_connections (100)'],
    ],
  ])('%s', (_, one, words) => {
    const problems = problemsOf(one);
    expect(problems).toHaveLength(words.length);
    problems.forEach((problem, i) => {
      expect(problem).toContain(words[i]);
    });
  });
});

describe('D-426 what keeps a merchant from moving is said before', () => {
  const set = { node: 'w:5432', prepared: 9, connections: 9, wal_level: 'logical', plugins: null };
  const of = (settings: Partial<typeof set> | { plugins: string }, without_key: string[] = []) => ({
    limits: [{ ...set, ...settings }],
    without_key,
  });

  test.each([
    ['nothing where PostgreSQL has no list of decoders', of({}), true, []],
    ['nothing where the list has both', of({ plugins: 'test_decoding, citus,pgoutput' }), true, []],
    ['a list without them', of({ plugins: 'pgoutput' }), true, ['lacks citus:']],
    ['an empty list', of({ plugins: '' }), true, ['lacks citus and pgoutput:']],
    [
      'a server that keeps too little',
      of({ wal_level: 'replica' }),
      false,
      ['wal_level of w:5432 is replica'],
    ],
    ['a table without a key', of({}, ['lines']), true, ['The table lines has no primary key']],
  ])('%s', (_, engine, isLive, words) => {
    expect(copiesLive(engine)).toBe(isLive);
    const found = hindrancesOf(engine);
    expect(found).toHaveLength(words.length);
    words.forEach((word, i) => {
      expect(found[i]).toContain(word);
    });
  });
});
