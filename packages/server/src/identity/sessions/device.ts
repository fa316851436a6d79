/** Says in words which device sent a `User-Agent`. It helps people and proves nothing. */

/**
 * A browser or program and its system; each is empty where it is not known. Where both are unknown, `browser` is the
 * `User-Agent`.
 */
export interface Device {
  browser: string;
  system: string;
}

/** The first match counts: many browsers also name the ones that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(node|undici)\b/, 'Node.js'],
  [/^python/i, 'Python'],
  [/^Go-http-client/, 'Go'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (table: typeof browsers, agent: string): string =>
  table.find(([pattern]) => pattern.test(agent))?.[1] ?? '';

export function deviceOf(agent: string): Device {
  const [browser, system] = [firstOf(browsers, agent), firstOf(systems, agent)];
  return browser === '' && system === '' ? { browser: agent, system } : { browser, system };
}

/** The device in English words. */
export function deviceWords({ browser, system }: Device): string {
  if (browser !== '' && system !== '') return `${browser} on ${system}`;
  return browser + system || 'Unknown device';
}
