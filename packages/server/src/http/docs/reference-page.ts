import { createHash } from 'node:crypto';
import type { OpenApiDocument, OperationObject, PathItem } from '@paydesk/contract';
import type { Call } from './curl.ts';
import { html, Html, nothing } from './html.ts';
import {
  operationAnchor,
  operationSection,
  type Resolve,
  schemaSection,
  webhookSection,
} from './operation-section.ts';
import { prose } from './prose.ts';
import { schemaAnchor } from './schema-members.ts';
import { style } from './style.ts';

/** The SHA-256 of the page's style, in base64, for its security policy. It covers every character between the tags. */
export const styleHash = createHash('sha256').update(style.text).digest('base64');

/**
 * Renders the API reference from the OpenAPI document, as one page without scripts.
 *
 * @param document_path the path of the document, for a link
 */
export function referencePage(document: OpenApiDocument, document_path: string): string {
  const groups = groupsOf(document);
  const navigation = contents(groups, document);
  const body = html`<header class="top">
      <a class="brand" href="#top">Paydesk</a>
      <span>API reference</span>
      <a class="raw" href="${document_path}">openapi.json</a>
    </header>
    <div class="page">
      <nav class="side" aria-label="Contents">${navigation}</nav>
      <main id="top">
        <h1>${document.info.title} API</h1>
        <p class="lead">${document.info.summary}</p>
        <details class="small-contents">
          <summary>Contents</summary>
          <nav aria-label="Contents">${navigation}</nav>
        </details>
        ${prose(document.info.description)} ${groups.map(groupSection)}
        <section id="schemas">
          <h2><a href="#schemas">Schemas</a></h2>
          ${Object.entries(document.components.schemas).map(([name, schema]) =>
            schemaSection(name, schema, schemaAnchor(name)),
          )}
        </section>
      </main>
    </div>`;
  const sheet = new Html(`<style>${style.text}</style>`);
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>Paydesk API reference</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href="data:," />
      ${sheet}
    </head>
    <body>
      ${body}
    </body>
  </html>`;
  return `<!doctype html>${page.text}`;
}

/** A tag and its calls, in the order of the document. */
interface Group {
  name: string;
  description: string;
  anchor: string;
  entries: readonly { operation: OperationObject; section: Html }[];
}

function groupsOf(document: OpenApiDocument): Group[] {
  const resolve: Resolve = (schema) => {
    const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
    return name === undefined ? schema : (document.components.schemas[name] ?? schema);
  };
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
    anchor: `tag-${name.toLowerCase().replaceAll(' ', '-')}`,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function callsOf(document: OpenApiDocument, path: string, item: PathItem): (Call & { path: string })[] {
  const server = (item.servers ?? document.servers)[0]?.url ?? '';
  return (['post', 'get', 'put', 'patch', 'delete'] as const).flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ method, path, url: server + path, operation }];
  });
}

const groupSection = ({ name, description, anchor, entries }: Group): Html =>
  html`<section id="${anchor}" class="group">
    <h2><a href="#${anchor}">${name}</a></h2>
    ${prose(description)}${entries.map(({ section }) => section)}
  </section>`;

function contents(groups: readonly Group[], { components }: OpenApiDocument): Html {
  const schemas = Object.keys(components.schemas).map((name) => link(schemaAnchor(name), name));
  const calls = groups.map(({ name, anchor, entries }) =>
    branch(
      anchor,
      name,
      entries.map(({ operation }) => link(operationAnchor(operation), operation.summary)),
    ),
  );
  return html`<ul>
    ${calls}${schemas.length === 0 ? nothing : branch('schemas', 'Schemas', schemas)}
  </ul>`;
}

const link = (anchor: string, text: string): Html => html`<li><a href="#${anchor}">${text}</a></li>`;

const branch = (anchor: string, text: string, below: readonly Html[]): Html =>
  html`<li>
    <a class="group" href="#${anchor}">${text}</a>
    <ul>
      ${below}
    </ul>
  </li>`;
