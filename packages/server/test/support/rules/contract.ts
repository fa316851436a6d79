import type Type from 'typebox';
import Value from 'typebox/value';
import { expect } from 'vitest';
import type { Answer } from '../desks/service.ts';

type Schema = Record<string, unknown>;

/**
 * The schema with every object closed. Published schemas allow future members, but today's answers have exactly the
 * named ones.
 */
function closed(schema: Schema): Schema {
  const inside = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    switch (keyword) {
      case 'properties': {
        const members = Object.entries(value as Record<string, Schema>);
        return [keyword, Object.fromEntries(members.map(([name, member]) => [name, closed(member)]))];
      }
      case 'items':
        return [keyword, closed(value as Schema)];
      case 'anyOf':
      case 'oneOf':
        return [keyword, (value as Schema[]).map(closed)];
      default:
        return [keyword, value];
    }
  });
  const isObject = schema.properties !== undefined;
  return { ...Object.fromEntries(inside), ...(isObject ? { additionalProperties: false } : {}) };
}

/** The errors of a value by a schema, one line each. Members that the schema does not name are errors, too. */
export function faultsOf(schema: Type.TSchema, value: unknown): string[] {
  const errors = Value.Errors(closed(schema as Schema), value);
  return [...errors].map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const jsonType = 'application/json; charset=utf-8';

/** Demands an answer of this status as JSON that matches its schema exactly (H-12, H-28, R-004). */
export function expectAnswer(answer: Answer<unknown>, status: number, schema: Type.TSchema): void {
  expect({ status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual({
    status,
    text: '',
  });
  expect(answer.headers.get('content-type')).toBe(jsonType);
  expect(faultsOf(schema, answer.body)).toEqual([]);
}
