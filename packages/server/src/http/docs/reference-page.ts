/** The API reference: the content of its page, and the links of its contents. */
import type { OpenApiDocument, OperationObject, PathItem } from '@paydesk/contract';
import type { Call } from './curl.ts';
import { html, type Html, nothing } from './html.ts';
import { operationAnchor, operationSection, schemaSection, webhookSection } from './operation-section.ts';
import { prose } from './prose.ts';
import { resolverOf } from './sample.ts';
import { schemaAnchor } from './schema-members.ts';

/**
 * Renders the API reference from the OpenAPI document: the content of a page.
 *
 * @param document_path the path of the document, for a link
 */
export function referenceContent(document: OpenApiDocument, document_path: string): Html {
  return html`<h1>${document.info.title} API</h1>
    <p class="lead">${document.info.summary}</p>
    <p><a href="${document_path}">${document_path.slice(document_path.lastIndexOf('/') + 1)}</a></p>
    ${prose(document.info.description)} ${groupsOf(document).map(groupSection)}
    <section id="schemas">
      <h2><a href="#schemas">Schemas</a></h2>
      ${Object.entries(document.components.schemas).map(([name, schema]) =>
        schemaSection(name, schema, schemaAnchor(name)),
      )}
    </section>`;
}

/** The links to every call and schema, for the contents of the page. */
export function referenceContents(document: OpenApiDocument): Html {
  const schemas = Object.keys(document.components.schemas).map((name) => link(schemaAnchor(name), name));
  const calls = callGroups(document).map(({ name, anchor, operations }) =>
    branch(
      anchor,
      name,
      operations.map((operation) => link(operationAnchor(operation), operation.summary)),
    ),
  );
  return html`<ul>
    ${calls}${schemas.length === 0 ? nothing : branch('schemas', 'Schemas', schemas)}
  </ul>`;
}

/** The calls of each tag, in the order of the document. */
export function callGroups(document: OpenApiDocument): CallGroup[] {
  const all = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
    ordered.flatMap((method) => item[method] ?? []),
  );
  return document.tags.map(({ name }) => ({
    name,
    anchor: anchorOf(name),
    operations: all.filter(({ tags }) => tags.includes(name)),
  }));
}

export interface CallGroup {
  name: string;
  anchor: string;
  operations: readonly OperationObject[];
}

const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;

const ordered = ['post', 'get', 'put', 'patch', 'delete'] as const;

/** A tag and its calls, in the order of the document. */
interface Group {
  name: string;
  description: string;
  anchor: string;
  sections: readonly Html[];
}

function groupsOf(document: OpenApiDocument): Group[] {
  const resolve = resolverOf(document);
  const calls = Object.entries(document.paths).flatMap(([path, item]) => callsOf(document, path, item));
  const entries = [
    ...calls.map((call) => ({ operation: call.operation, section: operationSection(call, resolve) })),
    ...Object.entries(document.webhooks).flatMap(([name, { post }]) =>
      post === undefined ? [] : [{ operation: post, section: webhookSection(name, post, resolve) }],
    ),
  ];
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    anchor: anchorOf(name),
    sections: entries.filter(({ operation }) => operation.tags.includes(name)).map(({ section }) => section),
  }));
}

function callsOf(document: OpenApiDocument, path: string, item: PathItem): (Call & { path: string })[] {
  const server = (item.servers ?? document.servers)[0]?.url ?? '';
  return ordered.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ method, path, url: server + path, operation }];
  });
}

const groupSection = ({ name, description, anchor, sections }: Group): Html =>
  html`<section id="${anchor}" class="group">
    <h2><a href="#${anchor}">${name}</a></h2>
    ${prose(description)}${sections}
  </section>`;

const link = (anchor: string, text: string): Html => html`<li><a href="#${anchor}">${text}</a></li>`;

const branch = (anchor: string, text: string, below: readonly Html[]): Html =>
  html`<li>
    <a class="group" href="#${anchor}">${text}</a>
    <ul>
      ${below}
    </ul>
  </li>`;
