import { describe, expect, test } from 'vitest';
import { readOptions } from './options.ts';

const names = ['route', 'create', 'read'];

describe('options', () => {
  test('everything runs for ten seconds unless said otherwise', () => {
    expect(readOptions([], names)).toEqual({
      only: names,
      seconds: 10,
      orders: 1_000_000,
      keep: null,
      json: null,
      compare: null,
      against: null,
      cpu_prof: null,
      help: false,
    });
  });

  test('chosen benchmarks run in the order of the list', () => {
    const rest = ['--seconds', '2.5', '--json', 'out.json', '--compare', 'before.json'];
    for (const only of [
      ['--only', 'read', '--only', 'route'],
      ['--only', 'read,route'],
      ['--only', 'read, route'],
    ]) {
      expect(readOptions([...only, ...rest], names)).toMatchObject({
        only: ['route', 'read'],
        seconds: 2.5,
        json: 'out.json',
        compare: 'before.json',
      });
    }
  });

  test('D-647 another checkout is measured in turn with this one, and nothing else unless it is named', () => {
    const all = [...names, 'checkouts'];
    expect(readOptions([], all).only).toEqual(names);
    expect(readOptions(['--against', '../old'], all)).toMatchObject({
      only: ['checkouts'],
      against: '../old',
    });
    expect(readOptions(['--against', '../old', '--only', 'read,checkouts'], all).only).toEqual([
      'read',
      'checkouts',
    ]);
    expect(() => readOptions(['--only', 'checkouts'], all)).toThrow('checkouts needs --against DIR');
  });

  test.each([
    [['--only', 'read,'], 'There is no benchmark "": --only takes route, create, read.'],
    [['--only', 'nothing'], 'There is no benchmark "nothing": --only takes route, create, read.'],
    [['--seconds', 'long'], '--seconds takes a number from 1 to 600, not "long".'],
    [['--seconds', '0'], '--seconds takes a number from 1 to 600, not "0".'],
    [['--orders', '9999'], '--orders takes a whole number from 10000, not "9999".'],
    [['--what'], "Unknown option '--what'"],
  ])('%j is refused in a sentence', (args, message) => {
    expect(() => readOptions(args, names)).toThrow(message);
  });
});
