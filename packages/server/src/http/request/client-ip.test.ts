import { expect, test, vi } from 'vitest';
import { senderOf } from './client-ip.ts';

test('D-161 an X-Forwarded-For of a peer that is no trusted proxy is ignored, and told', () => {
  const onIgnored = vi.fn();
  const sender = senderOf(['10.0.0.0/8'], onIgnored);
  expect(sender('192.0.2.7', '203.0.113.1').key).toBe('192.0.2.7');
  expect(onIgnored.mock.calls).toEqual([['192.0.2.7']]);
  expect(sender('10.0.0.1', '203.0.113.1').key).toBe('203.0.113.1');
  expect(sender('192.0.2.7', undefined).key).toBe('192.0.2.7');
  expect(onIgnored).toHaveBeenCalledTimes(1);
});

test.each([
  '010.1.1.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '127.1',
  '2130706433',
  '203.0.113.07',
  '203.0.113.7.',
  '',
])('D-161 an address in the form %j is not read, so the proxy counts as the sender', (forwarded) => {
  const sender = senderOf(['10.0.0.0/8']);
  expect(sender('10.0.0.1', `192.0.2.1, ${forwarded}`).key).toBe('10.0.0.1');
});

test('D-161 usual forms are read, also with a port', () => {
  const sender = senderOf(['10.0.0.0/8']);
  expect(sender('10.0.0.1', '203.0.113.7:4711').key).toBe('203.0.113.7');
  expect(sender('::ffff:10.0.0.1', '[2001:db8::7]:4711').key).toBe('2001:db8::/64');
});
