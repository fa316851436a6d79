import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merchant_id, other_merchant_id } from '../../../test/support/desks/samples.ts';
import { fold, foldedOf, gramsOf, gramsToFind } from './search-text.ts';

/** Texts of any script, with what folds, combines, or takes two code units. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      'a',
      'B',
      'é',
      'e\u0301',
      'ß',
      'İ',
      'ı',
      'Σ',
      'ς',
      '茶',
      '壶',
      '𠮷',
      '👩‍🚀',
      '%',
      '_',
      '\\',
      ' ',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
});

describe('D-188 the index behind searches', () => {
  test('a text that contains another has all grams that the other is looked for by', () => {
    fc.assert(
      fc.property(text, text, text, (before, sought, after) => {
        const needle = fold(sought);
        fc.pre(needle !== '');
        const grams = new Set(gramsOf(merchant_id, fold(before) + needle + fold(after)));
        expect(gramsToFind(merchant_id, needle).every((gram) => grams.has(gram))).toBe(true);
      }),
    );
  });

  test('a search is for a few numbers, however long its text', () => {
    expect(gramsToFind(merchant_id, 'a')).toHaveLength(1);
    expect(gramsToFind(merchant_id, '茶壶')).toHaveLength(1);
    expect(gramsToFind(merchant_id, 'kettles')).toHaveLength(3);
    expect(gramsToFind(merchant_id, 'abcdefghi'.repeat(11)).length).toBeLessThanOrEqual(33);
  });

  test('two merchants share no numbers for the same text', () => {
    const own = new Set(gramsOf(merchant_id, 'copper kettle'));
    expect(gramsOf(other_merchant_id, 'copper kettle').filter((gram) => own.has(gram))).toEqual([]);
  });
});

describe('D-188 folding', () => {
  test.each([
    ['KETTLE', 'kettle'],
    ['Éclair', 'E\u0301CLAIR'],
    ['ΛΌΓΟΣ', 'λόγος'],
    ['Straße', 'STRASSE'],
    ['ＴＥＡ', 'ｔｅａ'],
    ['茶壶', '茶壶'],
  ])('%s is found as %s', (stored, sought) => {
    expect(fold(stored)).toBe(fold(sought));
  });

  test('name, description and keywords are kept apart: no text is found across two of them', () => {
    const folded = foldedOf({ gd_name: 'Tea', gd_description: 'Pot', keywords: 'Green' });
    expect(['tea', 'pot', 'green'].every((part) => folded.includes(part))).toBe(true);
    expect(folded.includes('teapot')).toBe(false);
  });
});
