import type { Locale } from '@paydesk/checkout';
import { expect, test } from 'vitest';
import { brandingOf, defaultBranding } from '../../base/settings/index.ts';
import { consolePage } from './console-page.ts';

const page = (branding: Partial<typeof defaultBranding>, locale: Locale = 'en'): string =>
  consolePage(
    { script: 'main.js', preloads: [], styles: [], texts: { ar: ['ar.js'] } },
    { nonce: 'n', base_path: '/pay', branding: brandingOf({ ...defaultBranding, ...branding }), locale },
  );

test('D-216 the console gets the branding as data, escaped, under its own path', () => {
  const logo = { content_type: 'image/png', content_hash: 'ab' };
  const html = page({ name: `A "b" <c>`, accent_colour: '#7a1f5c', logo, support_address: 'a&b@c.test' });
  expect(html).toContain('<title>A &#34;b&#34; &#60;c&#62;</title>');
  expect(html).toContain('data-brand-name="A &#34;b&#34; &#60;c&#62;"');
  expect(html).toContain('data-brand-logo="/pay/branding/logo/ab"');
  expect(html).toContain('data-brand-support="mailto:a%26b@c.test"');
  expect(/data-brand-shades="([^"]*)"/.exec(html)?.[1]?.split(' ')[6]).toBe('#7a1f5c');
  expect(page({})).toContain('data-brand-shades=""');
});

test('D-275 the console gets its language, its direction and the names of all languages', () => {
  const html = page({}, 'ar');
  expect(html).toContain('<html lang="ar" dir="rtl" data-languages="{&#34;en&#34;:&#34;English&#34;,');
  expect(html).toContain('<link rel="modulepreload" href="/pay/console/assets/ar.js">');
  expect(page({})).toContain('<html lang="en" dir="ltr"');
  expect(page({})).not.toContain('ar.js');
});
