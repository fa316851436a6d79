/** The file that tells where to report a weakness (RFC 9116). */
import { days, later } from '../../base/time/clock.ts';

export interface SecurityTxt {
  contacts: readonly string[];
  policy: string | null;
  public_url: string;
}

/** How long the text is valid. It is made again each day, while the service runs. */
const life_ms = days(180);

/** @param now real time */
export function securityTxt({ contacts, policy, public_url }: SecurityTxt, now: Date): string {
  const expires = `${later(now, life_ms).toISOString().slice(0, 10)}T00:00:00Z`;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    ...(policy === null ? [] : [`Policy: ${policy}`]),
    `Canonical: ${public_url}/.well-known/security.txt`,
    '',
  ].join('\n');
}
