import { describe, expect, expectTypeOf, test } from 'vitest';
import Type from 'typebox';
import Value from 'typebox/value';
import { CreateCollectionOrder, CreatedCollectionOrder } from './collection-order.ts';
import { orNull, type Wire } from './scalars.ts';

const request = { external_reference: 'a', idempotency_key: 'k', amount: '10.00', currency: 'USD' };
const { amount: _amount, ...withoutAmount } = request;
const accepted = (body: unknown): boolean => Value.Check(CreateCollectionOrder, body);

describe('a creation request', () => {
  test.each([
    ['the least', request],
    ['D-014 unknown members', { ...request, merchant_id: 'x', anything: [1] }],
    ['R-097 minor units instead of the amount', { ...withoutAmount, amount_minor: 1_000 }],
    [
      'R-081 every optional member null',
      {
        ...request,
        payment_no: null,
        description: null,
        expires_in: null,
        notify_enabled: null,
        notify_url: null,
        notify_secret: null,
        return_url: null,
      },
    ],
    [
      'R-061 white space around a reference of 191 bytes',
      { ...request, external_reference: ` ${'x'.repeat(191)} ` },
    ],
    ['R-074 a return address with white space around it', { ...request, return_url: ' https://a.example/ ' }],
    ['R-252 a secret of few characters and many bytes', { ...request, notify_secret: '€'.repeat(11) }],
    ['R-070 the shortest life', { ...request, expires_in: 60 }],
    ['R-070 the longest life', { ...request, expires_in: 7_200 }],
  ])('is accepted: %s', (_name, body) => {
    expect(accepted(body)).toBe(true);
  });

  test.each([
    ['R-059 no object', []],
    ['R-060 no reference', { ...request, external_reference: undefined }],
    ['R-060 a reference of white space', { ...request, external_reference: '  ' }],
    ['R-063 an empty key', { ...request, idempotency_key: '' }],
    ['R-063 a key of 129 bytes', { ...request, idempotency_key: 'k'.repeat(129) }],
    ['neither amount', withoutAmount],
    ['both amounts', { ...request, amount_minor: 1_000 }],
    ['both amounts, one of them null', { ...request, amount_minor: null }],
    ['an amount with a sign', { ...request, amount: '-1' }],
    ['an amount that begins with a point', { ...request, amount: '.5' }],
    ['an amount of 65 bytes', { ...request, amount: '1'.repeat(65) }],
    ['minor units as a text', { ...withoutAmount, amount_minor: '1000' }],
    ['no minor units', { ...withoutAmount, amount_minor: 0 }],
    ['more minor units than are exact', { ...withoutAmount, amount_minor: 2 ** 53 }],
    ['a currency in lower case', { ...request, currency: 'usd' }],
    ['R-064 a description that is no text', { ...request, description: 1 }],
    ['R-070 too short a life', { ...request, expires_in: 59 }],
    ['R-070 too long a life', { ...request, expires_in: 7_201 }],
    ['R-070 half a second', { ...request, expires_in: 1800.5 }],
    ['R-072 a switch that is no boolean', { ...request, notify_enabled: 'true' }],
    ['R-252 a secret with white space', { ...request, notify_secret: `${'x'.repeat(40)} ` }],
  ])('is refused: %s', (_name, body) => {
    expect(accepted(JSON.parse(JSON.stringify(body)))).toBe(false);
  });
});

describe('schemas and types', () => {
  test('D-023 minor units are bigint in the code and a number for a plain JSON reader', () => {
    expectTypeOf<CreatedCollectionOrder['amount_minor']>().toEqualTypeOf<bigint>();
    expectTypeOf<Wire<CreatedCollectionOrder>['amount_minor']>().toEqualTypeOf<number>();
    expectTypeOf<Wire<{ items: { n: bigint }[]; s?: string }>>().toEqualTypeOf<{
      items: { n: number }[];
      s?: string;
    }>();
    expect(CreatedCollectionOrder.properties.amount_minor).toMatchObject({
      type: 'integer',
      maximum: Number.MAX_SAFE_INTEGER,
    });
  });

  test.each([
    ['a text', Type.String({ description: 'd' }), { type: ['string', 'null'], description: 'd' }],
    [
      'one of some',
      Type.Unsafe({ type: 'string', enum: ['a'] }),
      { type: ['string', 'null'], enum: ['a', null] },
    ],
  ])('orNull of %s admits null and keeps the rest', (_name, schema, expected) => {
    expect(orNull(schema)).toEqual(expected);
    expect(Value.Check(orNull(schema), null)).toBe(true);
    expect(Value.Check(schema, null)).toBe(false);
  });

  test('orNull of an object stays a reference to it', () => {
    const Thing = Type.Object({ a: Type.String() }, { title: 'Thing', description: 'd' });
    expect(orNull(Thing)).toEqual({ anyOf: [Thing, { type: 'null' }], description: 'd' });
  });
});
