import { expect, test } from 'vitest';
import { later, minutes, seconds } from '../../base/time/clock.ts';
import { t0 } from '../../../test/support/desks/samples.ts';
import { nextWebhookTry } from './process-webhooks.ts';

const day = minutes(24 * 60);

test.each([
  ['soon at first', 1, seconds(5), seconds(4)],
  ['then each minute', 9, minutes(5), minutes(1)],
  ['for a day', 1_000, day, minutes(1)],
  ['and longer where it was hardly tried: the service was down', 1, 2 * day, seconds(4)],
  ['until it is given up', 30, day + 1, null],
])('R-232 a webhook that cannot be followed is tried again %s', (_, tries, age_ms, wait_ms) => {
  const now = later(t0, age_ms);
  const next =
    wait_ms === null
      ? { due_at: null, given_up_at: now }
      : { due_at: later(now, wait_ms), given_up_at: null };
  expect(nextWebhookTry({ received_at: t0, tries }, now)).toEqual(next);
});
