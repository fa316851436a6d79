/** The HTML document of the consoles. */
import { directionOf, type Locale, locales } from '@paydesk/checkout';
import type { Branding } from '../../base/settings/index.ts';
import type { ConsoleAssets } from './assets.ts';

export interface ConsolePage {
  nonce: string;
  /** The path prefix of the public address: '' or '/pay'. */
  base_path: string;
  branding: Branding;
  /** The language of the console. */
  locale: Locale;
}

/** The document in which the application renders itself. Its scripts and styles carry the nonce (H-17). */
export function consolePage(
  { script, preloads, styles, texts }: Pick<ConsoleAssets, 'script' | 'preloads' | 'styles' | 'texts'>,
  { nonce, base_path, branding, locale }: ConsolePage,
): string {
  const at = (name: string): string => `${base_path}/console/assets/${name}`;
  return [
    '<!doctype html>',
    `<html lang="${locale}" dir="${directionOf(locale)}" data-languages="${languages}" data-base-path="${base_path}" ${brandData(branding, base_path)} data-mantine-color-scheme="light">`,
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escaped(branding.name)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${icon}">`,
    ...styles.map((name) => `<link rel="stylesheet" href="${at(name)}">`),
    ...[...preloads, ...(texts[locale.toLowerCase()] ?? [])].map(
      (name) => `<link rel="modulepreload" href="${at(name)}">`,
    ),
    `<script nonce="${nonce}">${scheme}</script>`,
    `<script type="module" nonce="${nonce}" src="${at(script)}"></script>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript>The consoles of Paydesk need JavaScript.</noscript>',
    '</body>',
    '</html>',
  ].join('\n');
}

/** The branding, for the application. */
const brandData = ({ name, logo_path, shades, support_url }: Branding, base_path: string): string =>
  Object.entries({
    name,
    logo: logo_path === null ? '' : base_path + logo_path,
    shades: shades?.join(' ') ?? '',
    support: support_url ?? '',
  })
    .map(([member, value]) => `data-brand-${member}="${escaped(value)}"`)
    .join(' ');

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const languages = escaped(JSON.stringify(locales));

/** Sets light or dark before the first paint: the saved choice, or the system's. */
const scheme = [
  'try{var s=localStorage.getItem("mantine-color-scheme-value")}catch(e){}',
  'if(s!=="light"&&s!=="dark")s=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";',
  'document.documentElement.setAttribute("data-mantine-color-scheme",s)',
].join('');

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f47c4"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
