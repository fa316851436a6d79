/**
 * The secrets that sign notifications: checked, created and sealed. They are independent of client secrets
 * and no answer or log shows them.
 */
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SealedRow } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';

const minSecretBytes = 32;
const maxSecretBytes = 256;
const unfitForSecret = /[\s\p{White_Space}\p{Cc}]/u;

/**
 * Checks a `notify_secret`: 32 to 256 bytes, no white space, no control characters, not trimmed (R-252, D-135, D-138).
 *
 * @throws AppError `invalid_notify_secret`
 */
export function parseNotifySecret(secret: string): string {
  const bytes = Buffer.byteLength(secret, 'utf8');
  if (bytes < minSecretBytes || bytes > maxSecretBytes) throw invalidNotifySecret();
  if (unfitForSecret.test(secret) || !secret.isWellFormed()) throw invalidNotifySecret();
  return secret;
}

export const invalidNotifySecret = (): AppError =>
  new AppError('invalid_notify_secret', { field: 'notify_secret' });

/**
 * Refuses a `notify_secret` that is the secret of a client of the merchant (R-253, D-139).
 *
 * @throws AppError `invalid_notify_secret`
 */
export async function refuseClientSecret(
  { isClientSecret }: { isClientSecret: (merchant_id: string, text: string) => Promise<boolean> },
  merchant_id: string,
  secret: string,
): Promise<void> {
  if (!(await isClientSecret(merchant_id, secret))) return;
  throw new AppError('invalid_notify_secret', {
    field: 'notify_secret',
    description: 'notify_secret must not be the secret of an OAuth client.',
  });
}

/**
 * A new secret for a merchant's defaults: 256 random bits as text, independent of any client secret.
 * The bytes of the text are the key.
 */
export const newSigningSecret = (ids: IdSource): string => `ns_${ids.secret(32)}`;

interface SealDeps {
  box: SecretBox;
  log: Logger;
}

/**
 * Seals a signing secret for storage.
 *
 * @throws AppError `notification_unavailable` where it cannot be sealed (R-257, D-140)
 */
export function sealSigningSecret(deps: SealDeps, secret: string, row: SealedRow): Buffer {
  try {
    return deps.box.seal(secret, row);
  } catch (cause) {
    throw unavailable(deps, cause, 'a notification secret could not be sealed: is PAYDESK_SECRET_KEY valid?');
  }
}

/**
 * Opens a stored secret for a new order, so that none is created whose notifications cannot be signed.
 *
 * @throws AppError `notification_unavailable` where it cannot be opened (R-257, D-140)
 */
export function openSigningSecret(deps: SealDeps, secret_box: Buffer, row: SealedRow): string {
  try {
    return deps.box.open(secret_box, row);
  } catch (cause) {
    throw unavailable(
      deps,
      cause,
      'the notification secret of a merchant cannot be opened: is its key in PAYDESK_SECRET_KEY?',
    );
  }
}

function unavailable({ log }: SealDeps, cause: unknown, what: string): AppError {
  log.error({ err: cause }, what);
  return new AppError('notification_unavailable', { retry_after_s: 5 });
}
