/** Every language has every text of the checkout with its placeholders, and every text is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { localeTags } from '../model/locale.ts';
import { catalogue } from './catalogue.ts';
import { en } from './en.ts';
import { fill, type MessageKey } from './messages.ts';

const keys = Object.keys(en) as MessageKey[];
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each(localeTags.map((tag) => [tag, catalogue[tag]] as const))('%s', (_tag, messages) => {
  test('has exactly the texts, and none is empty', () => {
    expect(Object.keys(messages).sort()).toEqual([...keys].sort());
    for (const key of keys) expect(messages[key].trim(), key).not.toBe('');
  });

  test('has the placeholders of English in each text', () => {
    for (const key of keys) expect(placeholders(messages[key]), key).toEqual(placeholders(en[key]));
  });
});

test.each(localeTags.filter((tag) => tag !== 'en'))('%s is a translation', (tag) => {
  // Some words are the same in two languages. Texts of placeholders only do not count.
  const words = (key: MessageKey): string => en[key].replace(/\{\w+\}/g, '');
  const same = keys.filter((key) => catalogue[tag][key] === en[key] && /[a-z]{5}/.test(words(key)));
  expect(same.length).toBeLessThanOrEqual(4);
});

test.each(['./', '../../../console/src/texts/'])(
  'D-1031 the English texts in %s spell as the contract does',
  (folder) => {
    const root = new URL(folder, import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(^|\W)en\.ts$/.test(path),
    );
    expect(files).not.toEqual([]);
    const other = /e-mail|(?:normal|organ|recogn|author)is|(?<!subscription_)\bcanceled\b/i;
    expect(files.filter((path) => other.test(readFileSync(new URL(path, root), 'utf8')))).toEqual([]);
  },
);

test('every text is used somewhere', () => {
  const root = new URL('../', import.meta.url);
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) =>
      /\.tsx$|^view\/.*\.ts$|^server\/(wait-text|order\/receipt-facts)\.ts$|^texts\/notices\.ts$/.test(path),
    )
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .join('\n');
  expect(keys.filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
});

test('fill puts values in and leaves a forgotten one in sight', () => {
  expect(fill('{a} to {b} and {a}', { a: 'x' })).toBe('x to {b} and x');
  expect(fill('{a}', { a: '{b} $& $1' })).toBe('{b} $& $1');
});
