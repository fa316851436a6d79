import { expect, test } from 'vitest';
import { startOutcome } from './api.ts';

test.each([
  [200, { redirect_url: 'https://pay.example/s' }, null, { kind: 'redirect', url: 'https://pay.example/s' }],
  [
    200,
    { redirect_url: 'http://127.0.0.1:8090/s' },
    null,
    { kind: 'redirect', url: 'http://127.0.0.1:8090/s' },
  ],
  [200, { redirect_url: 'javascript:alert(1)' }, null, { kind: 'unclear' }],
  [200, { redirect_url: 7 }, null, { kind: 'unclear' }],
  [200, { status: 'paid' }, null, { kind: 'paid' }],
  [200, {}, null, { kind: 'unclear' }],
  [200, null, null, { kind: 'unclear' }],
  [202, { error: 'provider_result_pending' }, null, { kind: 'refused', code: 'provider_result_pending' }],
  [403, { error: 'login_required' }, null, { kind: 'refused', code: 'login_required' }],
  [422, { error: 'insufficient_balance' }, null, { kind: 'refused', code: 'insufficient_balance' }],
  [429, { error: 'rate_limited' }, '17', { kind: 'refused', code: 'rate_limited', retry_after_s: 17 }],
  [429, { error: 'rate_limited' }, 'soon', { kind: 'refused', code: 'rate_limited' }],
  [500, { error: 'server_error' }, null, { kind: 'unclear' }],
  [502, '<html>', null, { kind: 'unclear' }],
])('R-202 an answer %i %j is read as %4$j', (status, body, retryAfter, outcome) => {
  expect(startOutcome(status, body, retryAfter)).toEqual(outcome);
});
