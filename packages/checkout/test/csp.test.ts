import { describe, expect, test } from 'vitest';
import {
  bareAssets,
  type Asset,
  type Assets,
  renderCheckout,
  renderMessage,
  renderReceipt,
  renderSignIn,
} from '../src/index.ts';
import { tagsOf } from './support/html.ts';
import { cases, contextOf } from './support/views.ts';

const scriptNamed = (name: string): Asset => ({
  name: `${name}-0123456789abcdef.js`,
  content_type: 'text/javascript; charset=utf-8',
  bytes: Buffer.from('/* */'),
  br: Buffer.from(''),
  gzip: Buffer.from(''),
  integrity: 'sha256-x',
});
const assets: Assets = {
  ...bareAssets,
  script: scriptNamed('checkout'),
  full: scriptNamed('full'),
  passkeys: scriptNamed('passkeys'),
  style: 'p{margin:0}',
};
const context = contextOf({ assets });

const pages: readonly (readonly [string, string | null])[] = [
  ...Object.entries(cases).map(
    ([name, { view, page }]) => [name, renderCheckout(view, { ...context, ...page })] as const,
  ),
  ...Object.entries(cases).map(
    ([name, { view }]) =>
      [`receipt of ${name}`, renderReceipt(view, { ...context, trade_no: 'pi_1' })] as const,
  ),
  ['sign-in', renderSignIn({ ...context, return_to: '/', error: { kind: 'invalid' } })],
  ['sign-in with passkeys', renderSignIn({ ...context, return_to: '/', passkeys: true })],
  ['message', renderMessage({ ...context, code: 'rate_limited', retry_url: '/' })],
];

describe.each(pages.filter((page): page is [string, string] => page[1] !== null))(
  'H-17 %s',
  (_name, html) => {
    const tags = tagsOf(html);

    test('has no inline style and no inline handler', () => {
      const names = tags.flatMap((tag) => [...tag.attributes.keys()]);
      expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
    });

    test('carries the nonce on every script and style', () => {
      const active = tags.filter((tag) => tag.name === 'script' || tag.name === 'style');
      expect(active.length).toBeGreaterThan(0);
      for (const tag of active) expect(tag.attributes.get('nonce')).toBe(context.nonce);
    });

    test('R-382 loads nothing from elsewhere and is not indexed', () => {
      const loaded = tags.flatMap((tag) => [
        tag.attributes.get('src'),
        tag.name === 'link' ? tag.attributes.get('href') : undefined,
      ]);
      for (const address of loaded.filter((one) => one !== undefined)) {
        expect(address).toMatch(/^(\/checkout\/(assets\/|mp_\w+\/qr\.svg\?)|data:image\/|#)/);
      }
      const metas = new Map(
        tags.filter((tag) => tag.name === 'meta').map((tag) => [tag.attributes.get('name'), tag]),
      );
      expect(metas.get('robots')?.attributes.get('content')).toBe('noindex, nofollow');
      expect(metas.get('referrer')?.attributes.get('content')).toBe('no-referrer');
    });
  },
);
