/** The HTML document of the consoles. */
import { absentText, directionOf, type Locale, locales } from '@paydesk/checkout';
import type { Branding } from '../../base/settings/index.ts';
import type { ConsoleAssets } from './assets.ts';

export interface ConsolePage {
  nonce: string;
  /** The path prefix of the public address: '' or '/pay'. */
  base_path: string;
  branding: Branding;
  /** The language of the console. */
  locale: Locale;
  /** The path that is open, without the prefix. */
  path: string;
  /** Whether the service sends mail. */
  mail: boolean;
}

/**
 * The document in which the application renders itself. Its scripts and styles carry the nonce (H-17). What the screen of
 * this path needs begins to load with the page, not in turn after it (D-1400).
 */
export function consolePage(
  { script, preloads, styles, texts, screens }: Omit<ConsoleAssets, 'files'>,
  { nonce, base_path, branding, locale, path, mail }: ConsolePage,
): string {
  const screen = screens.find((one) => leadsTo(one.path, path));
  const at = (name: string): string => `${base_path}/console/assets/${name}`;
  const textsOf = (areas: readonly string[]): string[] =>
    areas.flatMap((area) => texts[locale.toLowerCase()]?.[area] ?? []);
  return [
    '<!doctype html>',
    `<html lang="${locale}" dir="${directionOf(locale)}" data-languages="${languages}" data-base-path="${base_path}" data-mail="${mail}" ${brandData(branding, base_path)} data-mantine-color-scheme="light">`,
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escaped(branding.name)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${icon}">`,
    // Before the styles, for which a script after them would wait.
    `<script nonce="${nonce}">${reload};${scheme};${askForSession(base_path)}</script>`,
    ...styles.map((name) => `<link rel="stylesheet" href="${at(name)}">`),
    // First, because it is the largest: with HTTP/1.1, six files load at a time.
    `<script type="module" nonce="${nonce}" src="${at(script)}" fetchpriority="high"></script>`,
    ...[...preloads, ...textsOf(screen?.areas ?? core), ...(screen?.preloads ?? [])].map(
      (name) => `<link rel="modulepreload" href="${at(name)}">`,
    ),
    '</head>',
    '<body>',
    `<p id="absent" role="alert" hidden>${escaped(absentText(locale))}</p>`,
    '<div id="root"></div>',
    '<noscript>The consoles of Paydesk need JavaScript.</noscript>',
    '</body>',
    '</html>',
  ].join('\n');
}

/** The areas of texts that every screen reads. */
const core = ['core', 'codes'];

/** Whether a route leads to a path: parts such as `$order_no` stand for any. */
function leadsTo(route: string, path: string): boolean {
  const parts = path.split('/');
  const names = route.split('/');
  return (
    names.length === parts.length && names.every((name, at) => name.startsWith('$') || name === parts[at])
  );
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

/** Asks for the session while the application still loads, which then takes the answer (D-1400). */
const askForSession = (base_path: string): string =>
  `sessionAnswer=fetch("${base_path}/session",{headers:{accept:"application/json"},redirect:"error"})`;

/**
 * During a rolling upgrade a process of the other release may be asked for a file, and lacks it. If that is before the
 * application has started, the page says so and loads again, until one release answers everything, but at most a hundred times,
 * which the state of the browser's history counts (D-1397). What an extension of the browser has put into the page reloads
 * nothing, because it may fail each time (D-1430).
 */
const reload = [
  'addEventListener("error",({target:{href,src}})=>{',
  'let s=history.state,n=s?.absent??0,d=document,p=d.querySelector("#absent");',
  'if(!/\\/console\\/assets\\//.test(href||src)||d.querySelector("#root>*"))return;',
  'if(p)p.hidden=false;',
  'if(n<100)setTimeout(()=>{history.replaceState({...s,absent:n+1},"");location.reload()},3e3)',
  '},true)',
].join('');

/** Sets light or dark before the first paint: the saved choice, or the system's. */
const scheme = [
  'try{var s=localStorage.getItem("mantine-color-scheme-value")}catch(e){}',
  'if(s!=="light"&&s!=="dark")s=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";',
  'document.documentElement.setAttribute("data-mantine-color-scheme",s)',
].join('');

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f47c4"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;
