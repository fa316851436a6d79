import { describe, expect, test } from 'vitest';
import { checkDefaults, type Defaults } from './defaults.ts';
import { createNotifyUrlVetter } from '../addresses/resolve.ts';

const none: Defaults = { url: '', enabled: false };
const stored: Defaults = { url: 'https://old.example/', enabled: true };
const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'old.example': ['10.0.0.1'],
};
const rules = {
  allow_cidrs: [],
  vetNotifyUrl: createNotifyUrlVetter([], (name) =>
    Promise.resolve(names[name] ?? Promise.reject(new Error('unknown'))),
  ),
};

describe('R-256 the default address is judged as notify_url is', () => {
  test.each<[string, Defaults, Defaults]>([
    ['a public name', none, { url: 'https://public.example/', enabled: true }],
    ['D-133 a name that does not resolve now', none, { url: 'https://unknown.example/', enabled: true }],
    ['nothing', stored, none],
    [
      'the stored address when it is switched off, whatever it resolves to now',
      stored,
      { ...stored, enabled: false },
    ],
  ])('%s is accepted', async (_, before, wanted) => {
    await expect(checkDefaults(rules, before, wanted)).resolves.toBeUndefined();
  });

  test.each<[string, Defaults, Defaults, string]>([
    ['R-250 a private name', none, { url: 'https://mixed.example/', enabled: true }, 'invalid_notify_url'],
    [
      'R-250 one that is only stored',
      none,
      { url: 'https://mixed.example/', enabled: false },
      'invalid_notify_url',
    ],
    ['what is stored and private by now, to be enabled', stored, stored, 'invalid_notify_url'],
    ['R-243 plain HTTP', none, { url: 'http://public.example/', enabled: true }, 'invalid_notify_url'],
    ['nothing, to be enabled', none, { url: '', enabled: true }, 'invalid_request'],
  ])('%s is refused', async (_, before, wanted, code) => {
    await expect(checkDefaults(rules, before, wanted)).rejects.toMatchObject({
      code,
      detail: { field: 'url' },
    });
  });
});
