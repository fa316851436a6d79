/** Every area of texts has every language, with the placeholders and the plural forms that it needs. */
import { localeTags } from '@paydesk/checkout';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { untranslated } from './areas.ts';
import type { Area, Message } from './messages.ts';

type Texts = Readonly<Record<string, Message>>;

const here = new URL('.', import.meta.url);
// Vitest keeps the transformed modules of earlier runs, except those with `import.meta.glob(`. With a type argument the call
// is kept as well, and new files are not seen.
const files: Readonly<Record<string, () => Promise<{ texts: Texts }>>> = import.meta.glob(['./*/*.ts']);
const areas = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name as Area] : [],
);
const isPartial = (area: Area): boolean => (untranslated as readonly Area[]).includes(area);
const textsIn = async (area: Area, tag: string): Promise<Texts | undefined> =>
  (await files[`./${area}/${tag.toLowerCase()}.ts`]?.())?.texts;

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values({ ...message });
const namesIn = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
const wordy = (message: Message): boolean =>
  formsOf(message).some((form) => /[a-z]{5}/.test(form.replace(/\{\w+\}/g, '')));

describe.each(areas)('the texts of %s', (area) => {
  const sources = sourcesOf(area);

  test.each(localeTags)('D-276 are complete in %s', async (tag) => {
    const en = (await textsIn(area, 'en')) ?? {};
    const texts = await textsIn(area, tag);
    if (texts === undefined) {
      expect(isPartial(area), `${area} has no ${tag}`).toBe(true);
      return;
    }
    const lacking = Object.keys(en).filter((key) => !(key in texts));
    if (!isPartial(area)) expect(lacking).toEqual([]);
    expect(Object.keys(texts).filter((key) => !(key in en))).toEqual([]);
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(texts)) {
      const names = namesIn(formsOf(en[key] ?? '').join());
      for (const form of formsOf(message)) expect(form.trim(), key).not.toBe('');
      expect(namesIn(formsOf(message).join()), key).toEqual(names);
      if (typeof message !== 'string')
        expect(Object.keys(message).sort(), key).toEqual([...categories].sort());
    }
    if (tag === 'en') return;
    // Some words are the same in two languages.
    const same = Object.keys(texts).filter((key) => wordy(en[key] ?? '') && texts[key] === en[key]);
    expect(same.length, same.join()).toBeLessThanOrEqual(2 + Object.keys(texts).length / 10);
  });

  test('D-276 are all used', async () => {
    // These keys are the service's own.
    if (['acts', 'codes', 'errors', 'ledger'].includes(area)) return;
    const unused = Object.keys((await textsIn(area, 'en')) ?? {}).filter(
      (key) => !sources.includes(`'${key}'`),
    );
    expect(unused).toEqual([]);
  });
});

/** All modules that read the texts of an area. */
function sourcesOf(area: Area): string {
  const root = new URL('..', here);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('schema.d'))
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .filter((source) => source.includes(`textsOf('${area}')`))
    .join('\n');
}

test('D-276 a screen loads the texts of all its modules', () => {
  const root = new URL('..', here);
  for (const path of ['router.tsx', 'merchant/routes.tsx', 'platform/routes.tsx']) {
    const routes = readFileSync(new URL(path, root), 'utf8');
    const screens = /screen\(\s*\(\) => import\('([^']+)'\),\s*'\w+'(?:,\s*\[([^\]]*)\])?/g;
    for (const [, file = '', listed = ''] of routes.matchAll(screens)) {
      const loads = [...listed.matchAll(/'([\w-]+)'/g)].map(([, area]) => area);
      expect([...areasBelow(new URL(file, new URL(path, root)))].sort(), file).toEqual(loads.sort());
    }
  }
});

/** The areas that a module and everything it imports read, besides those that are always loaded. */
function areasBelow(module: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(module.href)) return new Set();
  seen.add(module.href);
  const source = readFileSync(module, 'utf8');
  const found = new Set([...source.matchAll(/textsOf\('([\w-]+)'\)/g)].map(([, area = '']) => area));
  for (const [, path = ''] of source.matchAll(/^import (?!type )[^;]*?from '(\.[^']+\.tsx?)'/gm)) {
    if (path.includes('/texts/')) continue;
    for (const area of areasBelow(new URL(path, module), seen)) found.add(area);
  }
  found.delete('core');
  return found;
}
