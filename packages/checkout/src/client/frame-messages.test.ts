import { describe, expect, test } from 'vitest';
import { targetsOf } from './frame-messages.ts';

const registered = ['https://shop.example', 'https://www.shop.example'];
const around = (referrer: string, ancestors?: string[]) => ({
  location: ancestors === undefined ? {} : { ancestorOrigins: ancestors },
  document: { referrer },
});

describe('D-267 a message is addressed', () => {
  test.each([
    ['to the origin that the browser names', around('', ['https://www.shop.example']), [registered[1]]],
    ['to the origin of the referrer', around('https://shop.example/', undefined), [registered[0]]],
    ['to the nearest of several around', around('', [...registered]), [registered[0]]],
    ['to each registered one where none is named', around('', undefined), registered],
    ['to registered ones only, whatever is around', around('', ['https://evil.example']), registered],
    ['and not to what a referrer claims', around('https://evil.example/', undefined), registered],
    ['nor to a referrer that is no address', around('nonsense', []), registered],
  ])('%s', (_, place, targets) => {
    expect(targetsOf(registered, place)).toEqual(targets);
  });

  test('to no origin if none is registered', () => {
    expect(targetsOf([], around('https://shop.example/', ['https://shop.example']))).toEqual([]);
  });
});
