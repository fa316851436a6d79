import { describe, expect, test } from 'vitest';
import { ownAddress } from './return-to.ts';

describe('return_to takes only own paths', () => {
  test.each([
    ['/checkout/mp_1?token=a%2Fb', 'https://h.example/checkout/mp_1?token=a%2Fb'],
    ['/', 'https://h.example/'],
    ['/a/../b', 'https://h.example/b'],
    ['/a?next=//evil.example', 'https://h.example/a?next=//evil.example'],
    ['/a#b', 'https://h.example/a#b'],
    ['/é', 'https://h.example/%C3%A9'],
    ['/@evil.example', 'https://h.example/@evil.example'],
  ])('%j leads to %s', (path, address) => {
    expect(ownAddress('https://h.example', path)).toBe(address);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '/\0',
    '\t//evil.example',
    ' //evil.example',
    ' /a',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'checkout',
    '',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '///evil.example',
    undefined,
    null,
    ['/a'],
  ])('%j leads nowhere', (path) => {
    expect(ownAddress('https://h.example', path)).toBeNull();
  });

  test.each([
    ['/pay/checkout/x', 'https://h.example/pay/checkout/x'],
    ['/pay', null],
    ['/payment', null],
    ['/other', null],
    ['/pay/../other', null],
    ['/pay/%2e%2e/other', null],
  ])('below the prefix of the public address, %s leads to %s', (path, address) => {
    expect(ownAddress('https://h.example/pay', path)).toBe(address);
  });
});
