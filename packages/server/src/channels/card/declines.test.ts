import { expect, test } from 'vitest';
import { declineReason } from './declines.ts';

test.each([
  [null, null],
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
  [{ code: 'card_declined', decline_code: 'stolen_card' }, 'suspected_fraud'],
  [{ code: 'expired_card' }, 'expired_card'],
  [{ code: 'incorrect_cvc', decline_code: 'incorrect_cvc' }, 'incorrect_details'],
  [{ code: 'payment_intent_authentication_failure' }, 'authentication_failed'],
  [{ code: 'card_declined', decline_code: 'generic_decline' }, 'declined'],
  [{ code: 'a_code_of_tomorrow' }, 'declined'],
])('D-331 the provider’s %j is %s', (error, reason) => {
  expect(declineReason(error)).toBe(reason);
});
