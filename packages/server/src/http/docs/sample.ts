/** An example of a body whose schema has none: its required members with values of their types. */
import type { JsonSchema, OpenApiDocument, OperationObject } from '@paydesk/contract';

/** Replaces a reference by the schema that it names. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

export const resolverOf =
  ({ components }: OpenApiDocument): Resolve =>
  (schema) => {
    const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
    return name === undefined ? schema : (components.schemas[name] ?? schema);
  };

/** The operation with an example for its body; the same operation if it has one or needs none. */
export function withExample(operation: OperationObject, resolve: Resolve): OperationObject {
  const { requestBody } = operation;
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (requestBody === undefined || entry === undefined || entry[1].example !== undefined) return operation;
  const [type, media] = entry;
  const content = { [type]: { ...media, example: sampleOf(media.schema, resolve) } };
  return { ...operation, requestBody: { ...requestBody, content } };
}

/** Free texts are an ellipsis, so that readers notice what they must fill in. */
function sampleOf(schema: JsonSchema, resolve: Resolve): unknown {
  const { examples, enum: values, anyOf, type, properties, minimum, pattern, ...rest } = resolve(schema);
  if (examples !== undefined) return examples[0];
  if (values !== undefined) return values[0];
  if (rest.const !== undefined) return rest.const;
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0], resolve);
  if (type === 'boolean') return true;
  if (type === 'integer') return minimum ?? 1;
  if (type === 'array') return [];
  if (type !== 'object') return pattern?.includes('[0-9]') === true ? '100000000' : '…';
  const named = Object.entries(properties ?? {});
  const required = named.filter(([name]) => rest.required?.includes(name));
  // A change sends only what changes.
  const shown = required.length > 0 ? required : named.slice(0, 1);
  return Object.fromEntries(shown.map(([name, member]) => [name, sampleOf(member, resolve)]));
}
