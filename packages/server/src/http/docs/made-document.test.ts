import { expect, test, vi } from 'vitest';
import { madeDocument } from './made-document.ts';

test('a document is made once, when it is first asked for, also by several callers at once', async () => {
  const make = vi.fn(() => 'text');
  const document = madeDocument(make);
  expect(make).not.toHaveBeenCalled();
  const forms = await Promise.all(['br', 'gzip', undefined].map((accepted) => document.formFor(accepted)));
  expect(forms.map(({ encoding }) => encoding)).toEqual(['br', 'gzip', null]);
  expect((await document.formFor('br')).bytes).toBe(forms[0]?.bytes);
  expect(make).toHaveBeenCalledOnce();
});

test('a document whose making failed is made again', async () => {
  const make = vi
    .fn(() => 'text')
    .mockImplementationOnce(() => {
      throw new Error('no memory');
    });
  const document = madeDocument(make);
  await expect(document.formFor('')).rejects.toThrow('no memory');
  expect((await document.formFor('')).bytes.toString()).toBe('text');
});
