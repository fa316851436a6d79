/** The codes of authenticator apps (TOTP): six digits, every 30 seconds another. */
import { Secret, TOTP } from 'otpauth';
import type { IdSource } from '../../base/ids.ts';
import { asciiDigits } from '../../base/input/ascii-digits.ts';

const period_s = 30;

/** A new secret of 160 bits, in base 32 as authenticator apps show it. */
export function newTotpSecret(ids: Pick<IdSource, 'secret'>): string {
  const bytes = Buffer.from(ids.secret(20), 'base64url');
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Paydesk', label, secret: Secret.fromBase32(secret), period: period_s });

/** The content of the QR code: account and secret. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/**
 * The 30-second step that a code belongs to, as phones type it (D-1038), or null. The step before and the step after the
 * current one count too, because clocks differ.
 */
export function stepOfCode(secret: string, typed: string, now: Date): bigint | null {
  const code = asciiDigits(typed).replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1_000 / period_s) + delta);
}
