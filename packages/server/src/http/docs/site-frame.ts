/** The frame around every page of the documentation: head, search, contents, and links to the neighbouring pages. */
import { createHash } from 'node:crypto';
import type { Heading, Site } from '@paydesk/docs/site';
import { html, Html, nothing } from './html.ts';
import { siteStyle } from './site-style.ts';
import { style } from './style.ts';

const sheet = `${style.text}${siteStyle.text}`;

/** The SHA-256 of the pages' style, in base64, for their security policy. It covers every character between the tags. */
export const styleHash = createHash('sha256').update(sheet).digest('base64');

/** Title and summary of a page, wherever it comes from. */
export interface PageName {
  path: string;
  title: string;
  summary: string;
}

export interface FrameParts {
  site: Site;
  base_path: string;
  /** All pages, in the order of the contents. */
  names: readonly PageName[];
  /** The page; null: the first page. */
  page: PageName | null;
  /** What the contents show below the page's own entry. */
  below: Html;
  content: Html;
  /** The address of the page for programs. */
  markdown_path: string;
}

/** A whole page, without inline scripts. Only the search needs a script; the rest works without one. */
export function framedPage(parts: FrameParts): string {
  const { site, base_path, page, content, markdown_path } = parts;
  const docs = `${base_path}/docs`;
  const contents = contentsOf(parts);
  const title = page === null ? 'Paydesk documentation' : `${page.title} · Paydesk documentation`;
  const head = html`<meta charset="utf-8" />
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${page?.summary ?? summaryOfAll}" />
    <link rel="icon" href="data:," />
    <link rel="alternate" type="text/markdown" href="${markdown_path}" />
    ${new Html(`<style>${sheet}</style>`)}
    ${site.script === null ? nothing : html`<script type="module" src="${docs}/assets/${site.script}"></script>`}`;
  const document = html`<html lang="en">
    <head>
      ${head}
    </head>
    <body>
      <a class="skip" href="#top">Skip to the content</a>
      <header class="top">
        <a class="brand" href="${docs}">Paydesk</a>
        <a class="place" href="${docs}">Documentation</a>
        ${searchButton(site)}
      </header>
      <div class="page">
        <nav class="side" aria-label="Contents">${contents}</nav>
        <main id="top">
          <details class="small-contents">
            <summary>Contents</summary>
            <nav aria-label="Contents of all pages">${contents}</nav>
          </details>
          <p class="as-markdown"><a href="${markdown_path}">This page as Markdown</a></p>
          ${content} ${waysOn(parts)}
        </main>
      </div>
      ${searchDialog(site, docs)}
    </body>
  </html>`;
  return `<!doctype html>${document.text}`;
}

export const summaryOfAll = 'How to take payments with Paydesk, and how to run it.';

const searchButton = ({ script }: Site): Html =>
  script === null
    ? nothing
    : html`<button type="button" id="search-button" class="search-button" hidden>
        Search <kbd>/</kbd>
      </button>`;

const searchDialog = ({ search_index }: Site, docs: string): Html =>
  search_index === null
    ? nothing
    : html`<dialog
        id="search"
        class="search"
        aria-label="Search the documentation"
        data-home="${docs}"
        data-index="${docs}/assets/${search_index}"
      >
        <div class="box">
          <div class="field">
            <input
              type="search"
              aria-label="Search"
              placeholder="Search"
              autocomplete="off"
              spellcheck="false"
            />
            <form method="dialog"><button>Close</button></form>
          </div>
          <p role="status"></p>
          <ol></ol>
        </div>
      </dialog>`;

function contentsOf({ site, base_path, names, page, below }: FrameParts): Html {
  const entry = (path: string): Html => {
    const name = names.find((one) => one.path === path);
    if (name === undefined) return nothing;
    const address = `${base_path}/docs/${path}`;
    if (path !== page?.path) return html`<li><a href="${address}">${name.title}</a></li>`;
    return html`<li><a href="${address}" aria-current="page">${name.title}</a>${below}</li>`;
  };
  return html`<ul>
    ${site.sections.map(
      ({ title, paths }) =>
        html`<li>
          <span class="group">${title}</span>
          <ul>
            ${paths.map(entry)}
          </ul>
        </li>`,
    )}
  </ul>`;
}

/** The sections of a page, for the contents. */
export const headingLinks = (headings: readonly Heading[]): Html => {
  const shown = headings.filter(({ level }) => level === 2);
  return shown.length < 2
    ? nothing
    : html`<ul>
        ${shown.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
      </ul>`;
};

/** The pages before and after this one. */
function waysOn({ names, page, base_path }: FrameParts): Html {
  if (page === null) return nothing;
  const at = names.findIndex(({ path }) => path === page.path);
  const way = (name: PageName | undefined, label: string): Html =>
    name === undefined
      ? html`<span></span>`
      : html`<a href="${base_path}/docs/${name.path}"><span>${label}</span> ${name.title}</a>`;
  return html`<nav class="ways" aria-label="Previous and next page">
    ${way(names[at - 1], 'Previous')} ${way(names[at + 1], 'Next')}
  </nav>`;
}
