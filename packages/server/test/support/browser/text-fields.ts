import { adminOperations, operations } from '@paydesk/contract';

/** A JSON schema, as far as texts are looked for in it. */
interface Schema {
  type?: string | readonly string[];
  enum?: unknown;
  const?: unknown;
  pattern?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** A text that would be markup if it were not escaped. */
const markup = '<b>"x"</b>';

function isFree({ type, enum: values, const: only, pattern }: Schema): boolean {
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText || values !== undefined || only !== undefined) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(markup);
}

function textsIn(schema: Schema, path: string): string[] {
  const { properties = {}, patternProperties = {}, additionalProperties, items, anyOf = [] } = schema;
  return [
    ...(isFree(schema) ? [path] : []),
    ...Object.entries(properties).flatMap(([name, member]) => textsIn(member, `${path}.${name}`)),
    ...Object.values(patternProperties).flatMap((member) => textsIn(member, `${path}.*`)),
    ...(typeof additionalProperties === 'object' ? textsIn(additionalProperties, `${path}.*`) : []),
    ...(items === undefined ? [] : textsIn(items, `${path}[]`)),
    ...anyOf.flatMap((member) => textsIn(member, path)),
  ];
}

/** Every member of every documented request that takes a text of the caller's own: `createUser.name`. */
export const textFields: readonly string[] = [
  ...new Set(
    [...operations, ...adminOperations].flatMap(({ id, body }) =>
      body === undefined ? [] : textsIn(body.schema as Schema, id),
    ),
  ),
];
