import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { stepOfCode } from './totp.ts';

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const now = new Date('2026-11-29T06:00:00Z');
const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
const inDigits = (zero: string): string =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

test.each([
  ['as it is', code],
  ['with a space', `${code.slice(0, 3)} ${code.slice(3)}`],
  ['with a hyphen', `${code.slice(0, 3)}-${code.slice(3)}`],
  ['in Arabic digits', inDigits('٠')],
  ['in Persian digits', inDigits('۰')],
  ['in wide digits', inDigits('０')],
])('D-1038 a code is taken %s', (_how, typed) => {
  expect(stepOfCode(secret, typed, now)).toBe(BigInt(now.getTime() / 30_000));
});

test.each(['', '12345', `${code}0`, 'abcdef', '٠'])('no code: %j', (typed) => {
  expect(stepOfCode(secret, typed, now)).toBeNull();
});
