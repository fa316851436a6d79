import { describe, expect, test } from 'vitest';
import { merchant_id, t0 } from '../../../test/support/desks/samples.ts';
import { AppError } from '../../base/errors.ts';
import { checkInputs } from './buyer-inputs.ts';
import { checkProduct, type Product } from './product.ts';

const usd = { code: 'USD', decimals: 2, enabled: true, min_minor: 1n, max_minor: 10n ** 12n };
const product: Product = {
  merchant_id,
  gd_no: 'gd_01KDYJ00000000000000000000',
  gd_name: 'Gift card',
  gd_description: '',
  keywords: '',
  actual_price: 400_000_000n,
  retail_price: 0n,
  currency: 'USD',
  in_stock: 0,
  buy_limit_num: 0,
  payment_policy: 'automatic',
  payment_methods: [],
  other_ipu_cnf: [],
  wholesale_price_cnf: [],
  buy_prompt: '',
  enabled: true,
  created_at: t0,
  updated_at: t0,
};

/** The code and the field that something is refused with, or `accepted`. */
function refusal(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} ${error.detail.field ?? ''}`;
  }
}
const refusalOf = (change: Partial<Product>): string =>
  refusal(() => checkProduct({ ...product, ...change }, usd));

const first = 'invalid_request wholesale_price_cnf.0';
const second = 'invalid_request wholesale_price_cnf.1';

describe('D-183 wholesale prices', () => {
  test.each<[string, string[], string]>([
    ['none', [], 'accepted'],
    ['one', ['5=3.00'], 'accepted'],
    ['a whole number', ['5=3'], 'accepted'],
    ['rising thresholds, falling prices', ['2=3.99', '5=3.00', '999999999=0.01'], 'accepted'],
    ['the first from one on', ['1=3.99'], 'accepted'],
    ['zeros that mean nothing', ['5=3.00000000'], 'accepted'],
    ['no equals sign', ['5:3.00'], first],
    ['nothing', [''], first],
    ['no price', ['5='], first],
    ['no threshold', ['=3.00'], first],
    ['a threshold of zero', ['0=3.00'], first],
    ['a leading zero', ['05=3.00'], first],
    ['a negative threshold', ['-5=3.00'], first],
    ['half a threshold', ['5.5=3.00'], first],
    ['a threshold of ten digits', ['1000000000=3.00'], first],
    ['a negative price', ['5=-3.00'], first],
    ['a price of nothing', ['5=0.00'], first],
    ['an exponent', ['5=3e0'], first],
    ['a comma', ['5=3,00'], first],
    ['space', ['5 = 3.00'], first],
    ['a line end', ['5=3.00\n'], first],
    ['other digits', ['٥=3.00'], first],
    ['more than the currency has', ['5=3.001'], first],
    ['nine decimals', ['5=3.000000000'], first],
    ['the price for one', ['5=4.00'], first],
    ['more than that', ['5=4.01'], first],
    ['the same threshold', ['5=3.00', '5=2.00'], second],
    ['a falling threshold', ['5=3.00', '4=2.00'], second],
    ['the same price', ['5=3.00', '6=3.00'], second],
    ['a rising price', ['5=3.00', '6=3.50'], second],
  ])('%s: %j', (_, wholesale_price_cnf, answer) => {
    expect(refusalOf({ wholesale_price_cnf })).toBe(answer);
  });
});

const firstInput = 'invalid_request other_ipu_cnf.0';

describe('D-184 inputs', () => {
  test.each<[string, string[], string]>([
    ['the example of the format', ['qq_account=QQ account=true'], 'accepted'],
    ['one that may stay empty', ['note=Note=false'], 'accepted'],
    ['a placeholder', ['note=Note=false=anything'], 'accepted'],
    ['an equals sign in the placeholder', ['note=Note=false=a=b'], 'accepted'],
    ['an empty placeholder', ['note=Note=false='], 'accepted'],
    ['another script', ['account=账号=true=您的账号'], 'accepted'],
    ['no key', ['=Account=true'], firstInput],
    ['a key that begins with a digit', ['1a=Account=true'], firstInput],
    ['a key with a space', ['qq account=Account=true'], firstInput],
    ['a key of 65 characters', [`${'k'.repeat(65)}=Account=true`], firstInput],
    ['no label', ['account==true'], firstInput],
    ['a label of spaces', ['account=  =true'], firstInput],
    ['a label of 101 characters', [`account=${'L'.repeat(101)}=true`], firstInput],
    ['neither required nor not', ['account=Account'], firstInput],
    ['yes', ['account=Account=yes'], firstInput],
    ['capitals', ['account=Account=TRUE'], firstInput],
    ['a control character', ['account=Acc\tount=true'], firstInput],
    ['a placeholder of 201 characters', [`account=Account=true=${'p'.repeat(201)}`], firstInput],
    ['a key twice', ['a=A=true', 'a=B=false'], 'invalid_request other_ipu_cnf.1'],
  ])('%s: %j', (_, other_ipu_cnf, answer) => {
    expect(refusalOf({ other_ipu_cnf })).toBe(answer);
  });

  const cnf = ['account=Account=true', 'note=Note=false'];
  test.each<[string, Record<string, string>, string]>([
    ['all of it', { account: 'x', note: 'y' }, 'accepted'],
    ['what is required', { account: 'x' }, 'accepted'],
    ['nothing', {}, 'input_required other_ipu.account'],
    ['an empty text', { account: '' }, 'input_required other_ipu.account'],
    ['something else', { account: 'x', colour: 'red' }, 'input_unknown other_ipu.colour'],
    [
      'a name that every object has',
      { account: 'x', constructor: 'y' },
      'input_unknown other_ipu.constructor',
    ],
  ])('entered: %s', (_, entered, answer) => {
    expect(refusal(() => checkInputs(cnf, entered))).toBe(answer);
  });

  test('empty texts count as not entered', () => {
    expect(checkInputs(cnf, { account: 'x', note: '' })).toEqual({ account: 'x' });
  });
});

describe('a product as a whole', () => {
  test.each<[string, Partial<Product>, string]>([
    ['as it is', {}, 'accepted'],
    ['no name', { gd_name: '' }, 'invalid_request gd_name'],
    ['a name of spaces', { gd_name: ' \t' }, 'invalid_request gd_name'],
    ['a zero byte in its name', { gd_name: 'a\u0000b' }, 'invalid_request gd_name'],
    ['what parts the texts of a search', { keywords: 'a\u001fb' }, 'invalid_request keywords'],
    ['lines in its description', { gd_description: 'a\r\n\tb' }, 'accepted'],
    ['no price', { actual_price: 0n }, 'invalid_request actual_price'],
    ['a negative price', { actual_price: -1_000_000n }, 'invalid_request actual_price'],
    ['a tenth of a cent', { actual_price: 100_000n }, 'invalid_request actual_price'],
    ['a price beyond 2^53', { actual_price: 10n ** 20n }, 'accepted'],
    ['a price beyond all bounds', { actual_price: 10n ** 40n }, 'invalid_request actual_price'],
    ['half a cent elsewhere', { retail_price: 500_000n }, 'invalid_request retail_price'],
    ['channels without the policy', { payment_methods: ['ch_1'] }, 'invalid_request payment_methods'],
    ['the policy without channels', { payment_policy: 'allowlist' }, 'invalid_request payment_methods'],
    ['both', { payment_policy: 'allowlist', payment_methods: ['ch_1'] }, 'accepted'],
  ])('R-343 R-346 D-182 %s', (_, change, answer) => {
    expect(refusalOf(change)).toBe(answer);
  });
});
