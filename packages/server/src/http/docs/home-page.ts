/** The first page of the documentation, and the list of all pages for programs. */
import type { OpenApiDocument } from '@paydesk/contract';
import type { Site } from '@paydesk/docs/site';
import { html, type Html } from './html.ts';
import { callGroups } from './reference-page.ts';
import { operationAnchor } from './operation-section.ts';
import { schemaAnchor } from './schema-members.ts';
import { type PageName, summaryOfAll } from './site-frame.ts';

interface Home {
  site: Site;
  names: readonly PageName[];
  base_path: string;
  document: OpenApiDocument;
}

/** The pages by section, then every call: the API reference was at this address once, with these anchors. */
export function homeContent({ site, names, base_path, document }: Home): Html {
  const card = ({ path, title, summary }: PageName): Html =>
    html`<li>
      <a href="${base_path}/docs/${path}"><strong>${title}</strong></a>
      <span>${summary}</span>
    </li>`;
  return html`<h1>Paydesk documentation</h1>
    <p class="lead">${summaryOfAll}</p>
    ${site.sections.map(
      ({ title, paths }) =>
        html`<section>
          <h2>${title}</h2>
          <ul class="cards">
            ${names.filter(({ path }) => paths.includes(path)).map(card)}
          </ul>
        </section>`,
    )}
    <section data-calls>
      <h2>Every call</h2>
      ${callIndex(document, `${base_path}/docs/api`)}
    </section>
    <p>
      For programs: <a href="${base_path}/llms.txt">llms.txt</a> lists every page as Markdown;
      <a href="${base_path}/openapi.json">openapi.json</a> and
      <a href="${base_path}/openapi-admin.json">openapi-admin.json</a> describe the calls.
    </p>`;
}

function callIndex(document: OpenApiDocument, reference: string): Html {
  const entry = (anchor: string, text: string): Html =>
    html`<li id="${anchor}"><a href="${reference}#${anchor}">${text}</a></li>`;
  const groups = callGroups(document).map(
    ({ name, anchor, operations }) =>
      html`<section id="${anchor}">
        <h3><a href="${reference}#${anchor}">${name}</a></h3>
        <ul>
          ${operations.map((operation) => entry(operationAnchor(operation), operation.summary))}
        </ul>
      </section>`,
  );
  return html`<div class="calls">
    ${groups}
    <section id="schemas">
      <h3><a href="${reference}#schemas">Schemas</a></h3>
      <ul>
        ${Object.keys(document.components.schemas).map((name) => entry(schemaAnchor(name), name))}
      </ul>
    </section>
  </div>`;
}

/** `/llms.txt`: what Paydesk is, and every page with its address as Markdown. */
export function llmsText(site: Site, names: readonly PageName[], public_url: string): string {
  const lineOf = ({ path, title, summary }: PageName): string =>
    `- [${title}](${public_url}/docs/${path}.md): ${summary}`;
  const sections = site.sections.map(({ title, paths }) =>
    [`## ${title}`, '', ...names.filter(({ path }) => paths.includes(path)).map(lineOf)].join('\n'),
  );
  return `${[
    '# Paydesk',
    '> Paydesk is a self-hosted payment service. A merchant’s server creates an order and gets a checkout address; the buyer ' +
      'pays there; Paydesk verifies the payment and sends a signed notification.',
    `This installation is at ${public_url}. Its calls are described in ${public_url}/openapi.json and, for administration, ` +
      `in ${public_url}/openapi-admin.json.`,
    ...sections,
  ].join('\n\n')}\n`;
}
