import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../base/input/json.ts';
import {
  effectiveTarget,
  type NotifyConfig,
  type NotifyParameters,
  parseNotifyConfig,
} from './notify-parameters.ts';

const url = 'https://shop.example/hook';
const secret = 'k'.repeat(32);
const pair = { notify_url: url, notify_secret: secret };
const explicit: NotifyConfig = { mode: 'explicit', url, secret };

test.each<[string, NotifyParameters, NotifyConfig]>([
  ['R-237 nothing', {}, { mode: 'unspecified' }],
  ['R-237 nulls', { notify_enabled: null, notify_url: null, notify_secret: null }, { mode: 'unspecified' }],
  ['R-238 false', { notify_enabled: false }, { mode: 'disabled' }],
  [
    'R-239 false with nulls',
    { notify_enabled: false, notify_url: null, notify_secret: null },
    { mode: 'disabled' },
  ],
  ['R-240 true', { notify_enabled: true }, { mode: 'default' }],
  ['R-240 true with the pair', { notify_enabled: true, ...pair }, explicit],
  ['R-241 the pair alone', pair, explicit],
  ['R-241 the pair with null', { notify_enabled: null, ...pair }, explicit],
])('%s', (_, parameters, expected) => {
  expect(parseNotifyConfig(parameters)).toEqual(expected);
});

const wrong = { notify_url: 'http://x', notify_secret: 'short' };

test.each<[string, NotifyParameters, string]>([
  ['R-239 false with both', { notify_enabled: false, ...pair }, 'invalid_notify_config'],
  ['R-239 false with an address', { notify_enabled: false, notify_url: url }, 'invalid_notify_config'],
  ['R-239 false with a secret', { notify_enabled: false, notify_secret: secret }, 'invalid_notify_config'],
  ['R-242 true with an address', { notify_enabled: true, notify_url: url }, 'invalid_notify_config'],
  ['R-242 true with a secret', { notify_enabled: true, notify_secret: secret }, 'invalid_notify_config'],
  ['R-242 an address alone', { notify_url: url }, 'invalid_notify_config'],
  ['R-242 a secret with null', { notify_url: null, notify_secret: secret }, 'invalid_notify_config'],
  ['D-136 an empty address alone', { notify_url: '' }, 'invalid_notify_config'],
  ['D-136 an empty secret alone', { notify_secret: '' }, 'invalid_notify_config'],
  ['D-136 an empty pair: the address first', { notify_url: '', notify_secret: '' }, 'invalid_notify_url'],
  ['D-136 an empty secret beside an address', { ...pair, notify_secret: '' }, 'invalid_notify_secret'],
  ['D-136 false with an empty address', { notify_enabled: false, notify_url: '' }, 'invalid_notify_config'],
  [
    'D-012 combination before address and secret',
    { notify_enabled: false, ...wrong },
    'invalid_notify_config',
  ],
  ['D-012 address before secret', wrong, 'invalid_notify_url'],
  ['D-012 types before combination', { notify_enabled: false, notify_url: 1 }, 'invalid_notify_url'],
  ['D-012 types before address', { notify_url: 'http://x', notify_secret: 1 }, 'invalid_notify_secret'],
  ['R-243 no public HTTPS', { ...pair, notify_url: 'https://10.0.0.1/' }, 'invalid_notify_url'],
  ['R-252 too short', { ...pair, notify_secret: 'k'.repeat(31) }, 'invalid_notify_secret'],
])('%s: %s → %s', (_, parameters, code) => {
  expect(() => parseNotifyConfig(parameters)).toThrow(expect.objectContaining({ code }) as Error);
});

describe('D-137 types', () => {
  const others: JsonValue[] = [1, 0, 'true', '', [], {}, 10n];
  test.each(others.map((value) => [value]))('R-072 notify_enabled %s', (notify_enabled) => {
    expect(() => parseNotifyConfig({ notify_enabled })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.objectContaining({ field: 'notify_enabled' }) as object,
      }) as Error,
    );
  });

  test.each<[JsonValue]>([[1], [true], [[]], [{}]])('an address or a secret that is %s', (value) => {
    expect(() => parseNotifyConfig({ ...pair, notify_url: value })).toThrow(
      expect.objectContaining({ code: 'invalid_notify_url' }) as Error,
    );
    expect(() => parseNotifyConfig({ ...pair, notify_secret: value })).toThrow(
      expect.objectContaining({ code: 'invalid_notify_secret' }) as Error,
    );
  });
});

test('D-141 an address in an allowed range', () => {
  const parameters = { ...pair, notify_url: 'https://127.0.0.1:9443/' };
  expect(parseNotifyConfig(parameters, ['127.0.0.0/8'])).toMatchObject({ mode: 'explicit' });
});

describe('the target in force', () => {
  const defaults = { url: 'https://default.example/', secret_box: Buffer.from('box') };
  const open = (box: Buffer): string => `opened ${box.toString()}`;
  const opened = { url: defaults.url, secret: 'opened box' };
  const own = { url, secret };

  test.each<[string, NotifyConfig, typeof defaults | null, object | null]>([
    ['R-237 unspecified, defaults on', { mode: 'unspecified' }, defaults, opened],
    ['R-237 unspecified, defaults off', { mode: 'unspecified' }, null, null],
    ['R-238 disabled, defaults on', { mode: 'disabled' }, defaults, null],
    ['R-240 enabled, defaults on', { mode: 'default' }, defaults, opened],
    ['R-241 the pair overrides defaults', explicit, defaults, own],
    ['R-240 the pair without defaults', explicit, null, own],
  ])('%s', (_, config, merchant, expected) => {
    expect(effectiveTarget(config, merchant, open)).toEqual(expected);
  });

  test('R-240 enabled without defaults is refused', () => {
    expect(() => effectiveTarget({ mode: 'default' }, null, open)).toThrow(
      expect.objectContaining({ code: 'invalid_notify_config' }) as Error,
    );
  });
});
