import { expect, test, vi } from 'vitest';
import { clientIp } from './client-ip.ts';

test('D-161 an X-Forwarded-For of a peer that is no trusted proxy is ignored, and told', () => {
  const onIgnored = vi.fn();
  const addressOf = clientIp(['10.0.0.0/8'], onIgnored);
  expect(addressOf('192.0.2.7', '203.0.113.1')).toBe('192.0.2.7');
  expect(onIgnored.mock.calls).toEqual([['192.0.2.7']]);
  expect(addressOf('10.0.0.1', '203.0.113.1')).toBe('203.0.113.1');
  expect(addressOf('192.0.2.7', undefined)).toBe('192.0.2.7');
  expect(onIgnored).toHaveBeenCalledTimes(1);
});
