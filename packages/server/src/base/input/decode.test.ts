import Type from 'typebox';
import { expect, test } from 'vitest';
import { reader } from './decode.ts';

const readView = reader(Type.Object({ name: Type.String() }, { additionalProperties: false }));
const readBrand = reader(
  Type.Object({ brand: Type.Object({ name: Type.String() }, { additionalProperties: false }) }),
);

test.each([
  ['on its own', () => readView({ name: 'mine', nane: 'yours' }), 'nane'],
  ['inside another', () => readBrand({ brand: { name: 'Paydesk', logos: [] } }), 'brand.logos'],
])('D-1321 a member that a call does not know is refused in words, %s', (_, read, field) => {
  const message = `${field} is not a member that this call knows.`;
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
});
