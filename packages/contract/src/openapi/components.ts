import type Type from 'typebox';
import { sharedEnum } from './enum-names.ts';
import { described } from './glossary.ts';
import type { JsonSchema } from './model.ts';

/**
 * Collects the schemas of a document, in the form that generators of clients read best. Every schema with a `title`, at
 * any depth, becomes a component of that name, and a reference replaces it. So does every enumeration. Two different
 * schemas cannot have the same name. Every member gets a description.
 */
export interface Components {
  /**
   * The schema for the document: a reference if the schema has a title.
   *
   * @param owner names enumerations in a schema without a title
   */
  use(schema: Type.TSchema, owner?: string): JsonSchema;
  /** Every named schema that was used. */
  readonly schemas: Record<string, JsonSchema>;
}

/** The place of a schema: the nearest titled schema around it, and the member there. */
interface Place {
  owner: string;
  member: string;
}

export function collectComponents(): Components {
  const schemas: Record<string, JsonSchema> = {};
  const sources = new Map<string, string>();

  const named = (name: string, source: JsonSchema, make: () => JsonSchema): JsonSchema => {
    const text = JSON.stringify(source);
    if ((sources.get(name) ?? text) !== text) throw new TypeError(`two schemas are called ${name}`);
    sources.set(name, text);
    schemas[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  };

  const referTo = (schema: JsonSchema, place: Place): JsonSchema => {
    const { title } = schema;
    if (title !== undefined) return named(title, schema, () => inner(schema, { owner: title, member: '' }));
    return nameEnum(schema, place, named) ?? inner(schema, place);
  };

  /** The schema itself, with references for the named schemas inside it. */
  const inner = (schema: JsonSchema, place: Place): JsonSchema => {
    const copy: JsonSchema = { ...schema };
    if (schema.properties !== undefined) {
      const required = new Set(schema.required);
      copy.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, member]) => {
          const described = referTo(member, { owner: place.owner, member: name });
          return [name, tell({ owner: place.owner, member: name }, member, described, required.has(name))];
        }),
      );
    }
    if (schema.items !== undefined) copy.items = referTo(schema.items, place);
    if (schema.anyOf !== undefined) copy.anyOf = schema.anyOf.map((one) => referTo(one, place));
    if (schema.oneOf !== undefined) copy.oneOf = schema.oneOf.map((one) => referTo(one, place));
    return copy;
  };

  return {
    use: (schema, owner = '') => referTo(schema, { owner, member: '' }),
    schemas,
  };
}

type Named = (name: string, source: JsonSchema, make: () => JsonSchema) => JsonSchema;

/** An enumeration of several texts as a reference to its own schema; null beside them stays possible. */
function nameEnum(schema: JsonSchema, { owner, member }: Place, named: Named): JsonSchema | undefined {
  const values = (schema.enum ?? []).filter((value) => typeof value === 'string');
  if (values.length < 2) return undefined;
  const shared = sharedEnum(values);
  const name = shared?.name ?? `${owner}${pascal(member)}`;
  const told = shared?.description ?? schema.description ?? described(owner, member);
  const reference = named(name, { enum: values }, () => ({
    type: 'string',
    enum: values,
    ...(told === undefined ? {} : { description: told }),
  }));
  const nullable = schema.enum?.includes(null) === true;
  return {
    ...(nullable ? { anyOf: [reference, { type: 'null' }] } : reference),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * The member with its description. The default of an optional member stands there too: generators take a member with
 * the keyword `default` for one that is always present, and then demand it in requests (D-241).
 */
function tell(
  { owner, member }: Place,
  source: JsonSchema,
  schema: JsonSchema,
  required: boolean,
): JsonSchema {
  const { default: value, ...rest } = schema;
  const told =
    source.description ??
    source.anyOf?.find(({ description }) => description !== undefined)?.description ??
    described(owner, member);
  const noted = value === undefined || required ? [told] : [told, `Default: \`${JSON.stringify(value)}\`.`];
  const description = noted.filter((text) => text !== undefined).join(' ');
  return {
    ...(required ? schema : rest),
    ...(description === '' ? {} : { description }),
  };
}
