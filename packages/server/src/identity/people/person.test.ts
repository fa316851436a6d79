import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
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
