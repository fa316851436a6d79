import type Type from 'typebox';
import type { JsonSchema } from './model.ts';

/**
 * Collects the schemas of a document. Every schema with a `title`, at any depth, becomes a component of that
 * name, and a reference replaces it. Two different schemas cannot have the same title.
 */
export interface Components {
  /** The schema for the document: a reference if the schema has a title. */
  use(schema: Type.TSchema): JsonSchema;
  /** Every schema with a title that was used, by title. */
  readonly schemas: Record<string, JsonSchema>;
}

export function collectComponents(): Components {
  const schemas: Record<string, JsonSchema> = {};
  const sources = new Map<string, string>();

  const referTo = (schema: JsonSchema): JsonSchema => {
    const { title } = schema;
    if (title === undefined) return inner(schema);
    const source = JSON.stringify(schema);
    if ((sources.get(title) ?? source) !== source) throw new TypeError(`two schemas are called ${title}`);
    sources.set(title, source);
    schemas[title] ??= inner(schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  /** The schema itself, with references for the titled schemas inside it. */
  const inner = (schema: JsonSchema): JsonSchema => {
    const copy: JsonSchema = { ...schema };
    if (schema.properties !== undefined) copy.properties = mapMembers(schema.properties, referTo);
    if (schema.items !== undefined) copy.items = referTo(schema.items);
    if (schema.anyOf !== undefined) copy.anyOf = schema.anyOf.map(referTo);
    if (schema.oneOf !== undefined) copy.oneOf = schema.oneOf.map(referTo);
    return copy;
  };

  return {
    use: (schema) => referTo(schema),
    schemas,
  };
}

function mapMembers<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
