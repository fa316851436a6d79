/** The API reference as Markdown, for programs. */
import {
  type JsonSchema,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
  type ResponseObject,
} from '@paydesk/contract';
import { curlOf } from './curl.ts';
import { limitText, securityLines } from './operation-section.ts';
import { resolverOf, withExample } from './sample.ts';
import { membersOf } from './schema-members.ts';

/** Renders the document, call by call. Bodies and answers name schemas, which come at the end. */
export function referenceMarkdown(document: OpenApiDocument): string {
  const { info, tags, paths, webhooks, components } = document;
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined
        ? []
        : [{ operation, text: callText(document, path, item, method, operation) }];
    }),
  );
  const messages = Object.entries(webhooks).flatMap(([name, { post }]) =>
    post === undefined ? [] : [{ operation: post, text: messageText(name, post) }],
  );
  const all = [...calls, ...messages];
  const groups = tags.map(({ name, description }) =>
    joined([
      `## ${name}`,
      description,
      ...all.filter(({ operation }) => operation.tags.includes(name)).map(({ text }) => text),
    ]),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    joined([`### ${name}`, schema.description, valuesOf(schema), memberLines(schema, 0)]),
  );
  return `${joined([`# ${info.title} API`, info.summary, info.description, ...groups, '## Schemas', ...schemas])}\n`;
}

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

function callText(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: (typeof methods)[number],
  operation: OperationObject,
): string {
  const url = `${(item.servers ?? document.servers)[0]?.url ?? ''}${path}`;
  return joined([
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description,
    [...securityLines(operation), ...(operation['x-rate-limits'] ?? []).map(limitText)]
      .map((line) => `- ${line}`)
      .join('\n'),
    parameterLines(operation),
    bodyText(operation),
    `\`\`\`sh\n${curlOf({ method, url, operation: withExample(operation, resolverOf(document)) })}\n\`\`\``,
    ...answers(operation),
  ]);
}

const messageText = (name: string, operation: OperationObject): string =>
  joined([
    `### ${operation.summary}`,
    `Webhook \`${name}\`, sent to the merchant’s server.`,
    operation.description,
    parameterLines(operation),
    bodyText(operation),
    ...answers(operation),
  ]);

function parameterLines({ parameters = [] }: OperationObject): string {
  const lines = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `- \`${name}\` (${place}, ${typeText(schema)}${required ? ', required' : ''}): ${description}`,
  );
  return lines.length === 0 ? '' : joined(['Parameters:', lines.join('\n')]);
}

function bodyText({ requestBody }: OperationObject): string {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (entry === undefined) return '';
  const [type, { schema }] = entry;
  return joined([`Body: ${type}, ${typeText(schema)}`, memberLines(schema, 0)]);
}

function answers({ responses }: OperationObject): string[] {
  const entries = Object.entries(responses).toSorted(([a], [b]) => a.localeCompare(b));
  const lines = entries.map(
    ([status, response]) => `- ${status}: ${oneLine(response.description)}${bodyOf(response)}`,
  );
  return [
    'Answers:',
    lines.join('\n'),
    ...entries.flatMap(([status, response]) => exampleOf(status, response)),
  ];
}

function bodyOf({ content = {} }: ResponseObject): string {
  const [media] = Object.values(content);
  return media === undefined ? '' : ` (${typeText(media.schema)})`;
}

function exampleOf(status: string, { content = {} }: ResponseObject): string[] {
  const [media] = Object.values(content);
  const example: unknown = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  if (!status.startsWith('2') || example === undefined) return [];
  return [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``];
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n+-?\s*/g, ' ');

/** Each member on a line; the members of unnamed objects follow below it. */
function memberLines(schema: JsonSchema, depth: number): string {
  return membersOf(schema)
    .map(({ name, required, schema: member }) => {
      const text = `${'  '.repeat(depth)}- \`${name}\` (${typeText(member)}${required ? '' : ', optional'})`;
      const told = [member.description, valuesOf(member)].filter((part) => part !== undefined && part !== '');
      const nested = [member, ...(member.anyOf ?? [])]
        .filter(({ $ref }) => $ref === undefined)
        .map((one) => memberLines(one, depth + 1))
        .filter((lines) => lines !== '');
      return [`${text}${told.length === 0 ? '' : `: ${oneLine(told.join(' '))}`}`, ...nested].join('\n');
    })
    .join('\n');
}

const valuesOf = ({ enum: values }: JsonSchema): string =>
  values === undefined ? '' : `One of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.`;

/** The type in a few words; a named schema by its name. */
function typeText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const either = schema.oneOf ?? schema.anyOf;
  if (either !== undefined && schema.properties === undefined) return either.map(typeText).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  return typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any']).join(' or ');
}
