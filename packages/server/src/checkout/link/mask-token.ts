/**
 * Hides a checkout token in compressed pages. The compressed length of a page tells an attacker how much of a guess
 * beside the token is right. A token that is combined with random bytes differs on every page, so guesses gain nothing
 * (D-257, docs/adr/0050-compressed-answers.md).
 */
import { randomBytes } from 'node:crypto';

const tokenBytes = 48;
const masked = /^[A-Za-z0-9_-]{128}$/;

/** The token under a fresh mask: 128 characters of base64url. It opens the order as the token itself does. */
export function maskToken(token: string): string {
  const mask = randomBytes(tokenBytes);
  return Buffer.concat([mask, combined(mask, Buffer.from(token, 'base64url'))]).toString('base64url');
}

/** The token without its mask. Every other text is returned as it is. */
export function unmaskToken(text: string): string {
  if (!masked.test(text)) return text;
  const bytes = Buffer.from(text, 'base64url');
  return combined(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes)).toString('base64url');
}

const combined = (mask: Buffer, bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, i) => byte ^ (mask[i] ?? 0)));
