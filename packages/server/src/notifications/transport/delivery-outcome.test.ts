import { expect, test } from 'vitest';
import { outcomeOfStatus } from './delivery-outcome.ts';

test.each([
  [200, null],
  [204, null],
  [299, null],
  [300, 'redirect'],
  [304, 'redirect'],
  [399, 'redirect'],
  [400, 'http_error'],
  [404, 'http_error'],
  [500, 'http_error'],
  [599, 'http_error'],
])('R-274 R-276 status %i: %s', (http_status, error) => {
  expect(outcomeOfStatus(http_status)).toEqual({ http_status, error });
});
