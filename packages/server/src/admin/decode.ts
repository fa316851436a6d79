import { AppError, invalid } from '../base/errors.ts';
import { merchantIdOf } from '../base/ids.ts';

export { isUuid, reader, readInstant } from '../base/decode.ts';

/**
 * The reason that a call demands.
 *
 * @throws AppError `invalid_request` on `reason` where it is missing or blank
 */
export function demandReason(reason: string | undefined): string {
  const text = reason?.trim() ?? '';
  if (text === '') throw invalid('reason', 'Say why: this change needs a reason.');
  return text;
}

/** The merchant id behind the number in a path, or 404. */
export function merchantInPath(merchant_no: string): string {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw new AppError('not_found');
  return merchant_id;
}
