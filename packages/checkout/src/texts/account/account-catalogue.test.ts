/** Every language has every text of the account pages, and every text is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { localeTags } from '../../model/locale.ts';
import { accountCatalogue } from './catalogue.ts';
import { en } from './en.ts';
import type { AccountKey } from './messages.ts';

const keys = Object.keys(en) as AccountKey[];
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each(localeTags.map((tag) => [tag, accountCatalogue[tag]] as const))('%s', (_tag, messages) => {
  test('has every text of the account, with the placeholders of English', () => {
    expect(Object.keys(messages).sort()).toEqual([...keys].sort());
    for (const key of keys) {
      expect(messages[key].trim(), key).not.toBe('');
      expect(placeholders(messages[key]), key).toEqual(placeholders(en[key]));
    }
  });
});

test.each(localeTags.filter((tag) => tag !== 'en'))('%s is a translation', (tag) => {
  // The name of a role may be a word of both languages.
  const told = keys.filter((key) => !key.startsWith('word_'));
  const same = told.filter((key) => accountCatalogue[tag][key] === en[key] && /[a-z]{5}/i.test(en[key]));
  expect(same.length).toBeLessThanOrEqual(1);
});

test('every text of the account is used somewhere', () => {
  // The server chooses the text about a form that was sent.
  const dirs = ['../../server/', '../../../../server/src/identity/'].map(
    (dir) => new URL(dir, import.meta.url),
  );
  const sources = dirs.flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(new URL(name, dir), 'utf8')),
  );
  const used = sources.join('\n');
  expect(keys.filter((key) => !used.includes(`'${key}'`))).toEqual([]);
});
