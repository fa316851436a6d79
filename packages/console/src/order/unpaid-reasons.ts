/** Why orders were not paid, in words: for the figures of methods and for the filter of lists (D-556). */
import type { Sales } from '../api/merchants.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('sales');

export type UnpaidReason = Sales['methods'][number]['unpaid'][number]['reason'];

export const unpaidWords: Readonly<Record<UnpaidReason, string>> = {
  insufficient_funds: t('insufficient_funds'),
  expired_card: t('expired_card'),
  incorrect_details: t('incorrect_details'),
  authentication_failed: t('authentication_failed'),
  limit_exceeded: t('limit_exceeded'),
  not_supported: t('not_supported'),
  suspected_fraud: t('suspected_fraud'),
  processing_error: t('processing_error'),
  declined: t('declined'),
  abandoned: t('abandoned'),
  method_changed: t('method_changed'),
  provider_refused: t('provider_refused'),
  in_review: t('in_review'),
};
