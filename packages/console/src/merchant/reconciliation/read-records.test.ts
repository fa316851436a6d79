import { beforeAll, describe, expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';
import { readRecords } from './read-records.ts';

beforeAll(() => loadTexts(['wallet']));

const record = {
  external_reference: 'SO-1',
  amount: '10.00',
  currency: 'USD',
  status: 'paid',
  event_id: null,
  order_no: null,
};

describe('a merchant’s own records are read from CSV', () => {
  test.each([
    ['with commas', 'external_reference,amount,currency\nSO-1,10.00,USD\n'],
    [
      'with semicolons, a byte order mark and Windows line ends',
      '\ufeffReference;Amount;Currency\r\nSO-1;10.00;usd\r\n',
    ],
    ['with tabs, in another order', 'currency\ttotal\tinvoice\nUSD\t10.00\tSO-1'],
    ['with quotes and blanks', 'reference, amount, currency\n"SO-1", "10.00", USD\n\n'],
  ])('%s', (_name, text) => {
    expect(readRecords(text)).toEqual({ records: [record] });
  });

  test('status, event and order number are taken where they are', () => {
    const text = 'reference,amount,currency,status,event_id,order_no\nSO-1,10.00,USD,Pending,pe_1,mp_1';
    expect(readRecords(text)).toEqual({
      records: [{ ...record, status: 'pending', event_id: 'pe_1', order_no: 'mp_1' }],
    });
  });

  test('D-1069 D-1110 a file of Paydesk gives the references themselves, without apostrophes before signs of formulas', () => {
    const text = `reference,amount,currency\n"'+49 30",10.00,USD\n"''+49 30",10.00,USD\n"it's",10.00,USD`;
    expect(readRecords(text)).toEqual({
      records: [
        { ...record, external_reference: '+49 30' },
        { ...record, external_reference: "'+49 30" },
        { ...record, external_reference: "it's" },
      ],
    });
  });

  test.each([
    ['', 'There are no records'],
    ['reference,amount,currency', 'There are no records'],
    ['reference,amount\nSO-1,1', 'missing: currency'],
    ['reference,amount,currency,status\nSO-1,1,USD,done', 'Line 2'],
    ['reference,amount,currency\n"SO-1,1,USD', 'Quote'],
  ])('%j is refused in words', (text, words) => {
    expect(readRecords(text)).toEqual({ problem: expect.stringContaining(words) as unknown });
  });
});
