/**
 * Makes all pages of the documentation from the files of the repository, as HTML (D-288) and as Markdown (D-289), and what the
 * search knows of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  adminOpenapi,
  type JsonSchema,
  methods,
  openapi,
  type OpenApiDocument,
  type OperationObject,
} from '@paydesk/contract';
import { generatedPages } from './generated-pages.ts';
import { linksFrom } from './links.ts';
import { markdownForPrograms, type Piece, renderMarkdown } from './markdown.ts';
import { type PlannedPage, planOf } from './plan.ts';
import { excerptOf, type SearchEntry } from './search.ts';
import {
  origin_mark,
  type PageContent,
  type ReferencePath,
  references,
  type SitePage,
  type SiteSection,
} from './site.ts';

export interface WrittenPage extends SitePage {
  content: PageContent;
}

export interface Built {
  sections: SiteSection[];
  pages: WrittenPage[];
  entries: SearchEntry[];
}

export interface BuildOptions {
  /** The root of the repository. */
  root: string;
  /** Called for each picture with its file; gives its name on the site. */
  keepPicture: (file: string) => string;
}

/** @throws {Error} naming the file that cannot be made into a page */
export function buildPages({ root, keepPicture }: BuildOptions): Built {
  const plan = planOf(root);
  const planned = plan.flatMap(({ pages }) => pages);
  const picture = (file: string): string => `${origin_mark}/docs/assets/${keepPicture(file)}`;
  const made = planned
    .filter(({ path }) => !(path in references))
    .map((page) => {
      try {
        return makePage(page, readFor(page, root), planned, picture);
      } catch (error) {
        throw new Error(`${page.file ?? page.path}: ${(error as Error).message}`, { cause: error });
      }
    });
  const entries = [
    ...made.flatMap(({ page, pieces }) => pieces.map((piece) => entryOf(page, piece))),
    ...callEntries(),
  ];
  return {
    sections: plan.map(({ title, pages }) => ({ title, paths: pages.map(({ path }) => path) })),
    pages: made.map(({ page }) => page),
    entries: entries.map((entry, id) => ({ id, ...entry })),
  };
}

function readFor({ path, file }: PlannedPage, root: string): string {
  if (file !== null) return readFileSync(join(root, file), 'utf8');
  const make = generatedPages[path];
  if (make === undefined) throw new Error('nothing generates this page');
  return make();
}

function makePage(
  { path, file }: PlannedPage,
  source: string,
  planned: readonly PlannedPage[],
  picture: (file: string) => string,
): { page: WrittenPage; pieces: Piece[] } {
  const links = linksFrom(file, planned);
  const { title, summary, html, headings, pieces } = renderMarkdown(source, { links, picture });
  const markdown = markdownForPrograms(source, links, origin_mark, picture);
  return { page: { path, title, summary, headings, content: { html, markdown } }, pieces };
}

function entryOf({ path, title }: SitePage, { heading, text }: Piece): Omit<SearchEntry, 'id'> {
  const isTop = heading.level === 1;
  return {
    title,
    heading: isTop ? '' : heading.text,
    href: isTop ? path : `${path}#${heading.id}`,
    excerpt: excerptOf(text),
    text,
  };
}

/** The calls of both OpenAPI documents. Their pages are made by the service, with its address. */
function callEntries(): Omit<SearchEntry, 'id'>[] {
  const base_url = 'https://pay.example';
  const addresses = {
    base_url,
    token_endpoint: `${base_url}/oauth/token`,
    userinfo_endpoint: `${base_url}/oauth/userinfo`,
  };
  return [...callsOf('api', openapi(addresses)), ...callsOf('admin-api', adminOpenapi(addresses))];
}

function callsOf(page: ReferencePath, { paths, components }: OpenApiDocument): Omit<SearchEntry, 'id'>[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const address = `${method.toUpperCase()} ${path}`;
      return {
        title: references[page].title,
        heading: operation.summary,
        href: `${page}#${operation.operationId}`,
        excerpt: address,
        text: `${address} ${operation.description} ${membersOf(operation, components.schemas).join(' ')}`,
      };
    }),
  );
}

/** The names of the parameters and of the members of the body. */
function membersOf(
  { parameters = [], requestBody }: OperationObject,
  schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => {
    const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
    return name === undefined ? schema : (schemas[name] ?? schema);
  });
  return [
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ properties }) => Object.keys(properties ?? {})),
  ];
}
