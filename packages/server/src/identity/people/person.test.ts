import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { checkEmail } from './email.ts';
import { checkPassword } from './person.ts';

async function refusal(password: string): Promise<unknown> {
  try {
    return (await checkPassword(password)) === password ? 'accepted' : 'changed';
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.detail.field, error.detail.description];
    throw error;
  }
}

describe('R-383 a new password', () => {
  test.each(['abcdefghi', '', '😀'.repeat(9), 'x'.repeat(1_025), '€'.repeat(342)])(
    'is refused where it is too short or too long: %.12s',
    async (password) => {
      expect(await refusal(password)).toEqual([
        'invalid_request',
        'password',
        'A password has at least 10 characters and at most 1024 bytes.',
      ]);
    },
  );

  test.each([
    ...['1234567890', 'qwertyuiop', 'QwertyUIOP', 'password123', 'PASSWORD123', 'q1w2e3r4t5'],
    ...['1qaz2wsx3edc', 'password1234', 'Basketball', 'ｑｗｅｒｔｙｕｉｏｐ'],
  ])('is refused because it is too common: %s', async (password) => {
    expect(await refusal(password)).toEqual([
      'invalid_request',
      'password',
      'This password is one of the most common ones. Choose another one.',
    ]);
  });

  test.each(['correct horse battery', 'a long password', 'abcdefghijkl!', '😀'.repeat(10), 'paydesk-demo-1'])(
    'is accepted otherwise: %s',
    async (password) => {
      expect(await refusal(password)).toBe('accepted');
    },
  );
});

describe('D-672 an email address', () => {
  test.each([
    ...[
      'ann@shop.example',
      "Ann.O'Hara+books/2@Shop.Example",
      '-a!b%c@x.example',
      'ann@localhost',
      'ann@192.0.2.1',
    ],
    ...[
      'jürgen@bücher.example',
      'ann@xn--bcher-kva.example',
      'ann@my_host.example',
      'ａｎｎ@ｓｈｏｐ.example',
    ],
  ])('%s is accepted', (address) => {
    expect(checkEmail(` ${address} `)).toBe(address);
  });

  test.each([
    ...[
      '<ann@shop.example>',
      '<<ann@shop.example',
      'ann@shop.example>',
      'ann@<shop.example',
      '"ann"@shop.example',
    ],
    ...[
      'ann(1)@shop.example',
      'ann@shop.example(1)',
      'ann@(1)shop.example',
      'a:ann@shop.example',
      'an\\n@shop.example',
    ],
    ...['ann,bob@shop.example', 'ann;bob@shop.example', 'ann@shop.example,x', 'ann@shop.example:25'],
    ...[
      'an\u0001n@shop.example',
      'ann@shop\u007f.example',
      'an\u00adn@shop.example',
      'ann@sh\u00adop.example',
    ],
    ...['ann@shop.example\u00ad', 'ann@shop\u200b.example', '\u202eann@shop.example', 'ann@shop。example'],
    ...[
      'ann@shop%2eexample',
      'ann@shop.example/x',
      'ann@shop.example?x',
      'ann@shop.example#x',
      'ann@[192.0.2.1]',
    ],
    ...[
      'ann@0x7f.1',
      'ann@shop.example.',
      'ann@',
      '@shop.example',
      'ann',
      'ann@bob@shop.example',
      `${'a'.repeat(250)}@x.example`,
    ],
  ])('%j is refused', (address) => {
    expect(() => checkEmail(address)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
  });
});
