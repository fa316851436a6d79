import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadPaydesk } from './load.ts';

class FakeScript extends EventTarget {
  src = '';
  nonce = '';
  remove = vi.fn();
}

let scripts: FakeScript[];
const page: { Paydesk?: unknown } = {};

beforeEach(() => {
  scripts = [];
  delete page.Paydesk;
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', {
    createElement: () => new FakeScript(),
    head: { append: (script: FakeScript) => scripts.push(script) },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('D-269 the loader', () => {
  test('adds the script once, and gives what it brings', async () => {
    const [first, second] = [
      loadPaydesk('https://pay.example/desk/', { nonce: 'n' }),
      loadPaydesk('https://pay.example/desk'),
    ];
    expect(scripts).toMatchObject([{ src: 'https://pay.example/desk/embed/v1.js', nonce: 'n' }]);
    page.Paydesk = { open: () => ({ close: () => undefined }) };
    scripts[0]?.dispatchEvent(new Event('load'));
    expect(await first).toBe(page.Paydesk);
    expect(await second).toBe(page.Paydesk);
  });

  test('says that it cannot be loaded, and tries again when asked again', async () => {
    const failed = loadPaydesk('https://away.example');
    scripts[0]?.dispatchEvent(new Event('error'));
    await expect(failed).rejects.toThrow('https://away.example/embed/v1.js');
    expect(scripts[0]?.remove).toHaveBeenCalledOnce();
    void loadPaydesk('https://away.example');
    expect(scripts).toHaveLength(2);
  });
});
