/** Tables of the members of a schema or the parameters of a call. */
import type { JsonSchema } from '@paydesk/contract';
import { html, type Html, nothing } from './html.ts';
import { line, prose } from './prose.ts';

/** The id of a schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The type of a value in a few words. Other schemas are links. */
export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref);
  const either = schema.oneOf ?? schema.anyOf;
  if (either !== undefined && schema.properties === undefined) {
    return html`${either.flatMap((one, i) => (i === 0 ? [typeOf(one)] : [html` or `, typeOf(one)]))}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return html`${types.join(' or ')}`;
}

export const schemaLink = (ref: string): Html =>
  html`<a href="#${schemaAnchor(nameOf(ref))}">${nameOf(ref)}</a>`;

/** One row of a list of members or parameters. */
export interface SchemaMember {
  name: string;
  required: boolean;
  schema: JsonSchema;
  description?: string | undefined;
}

/** The mark beside a name: members that a sender must send, or that a receiver may not get. */
export type Mark = 'required' | 'optional';

/** A list of members: name and type, and the description beside them. */
export const memberList = (members: readonly SchemaMember[], mark: Mark): Html =>
  html`<dl class="members">${members.map((member) => row(member, mark))}</dl>`;

function row({ name, required, schema, description }: SchemaMember, mark: Mark): Html {
  const marked =
    required === (mark === 'required') ? html`<span class="mark ${mark}">${mark}</span>` : nothing;
  const nested = nestedMembers(schema);
  return html`<div>
    <dt>
      <code>${name}</code> <span class="type">${typeOf(schema)}</span>
      ${marked}
    </dt>
    <dd>
      ${prose(description ?? schema.description)}${facts(schema)}${nested.length === 0 ? nothing : memberList(nested, mark)}
    </dd>
  </div>`;
}

/** The members of a schema; empty if it has none. */
export function membersOf(schema: JsonSchema): SchemaMember[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    required: required.has(name),
    schema: member,
  }));
}

/** Members of an object schema without a name, which may be nullable. They are shown in place. */
const nestedMembers = (schema: JsonSchema): SchemaMember[] =>
  [schema, ...(schema.anyOf ?? [])].flatMap((one) => (one.$ref === undefined ? membersOf(one) : []));

/** The constraints of a value: allowed values, range, default. */
export function facts(schema: JsonSchema): Html {
  const told = [...valuesOf(schema), ...rangeOf(schema), ...defaultOf(schema)];
  return told.length === 0 ? nothing : html`<p class="facts">${told.flatMap((fact) => [fact, html``])}</p>`;
}

function valuesOf({ enum: values }: JsonSchema): Html[] {
  if (values === undefined) return [];
  const shown = values
    .filter((value) => value !== null)
    .map((value) => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code> `);
  return [html`One of ${shown}`];
}

function rangeOf({ minimum, maximum }: JsonSchema): Html[] {
  if (minimum === undefined) return [];
  return [maximum === undefined ? html`At least ${minimum}.` : html`${minimum} to ${maximum}.`];
}

const defaultOf = (schema: JsonSchema): Html[] =>
  schema.default === undefined ? [] : [line(`Default \`${JSON.stringify(schema.default)}\`.`)];
