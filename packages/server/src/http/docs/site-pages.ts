/** Every page of the documentation of this installation, as HTML and as Markdown (D-288, D-289). */
import { adminOpenapi, openapi, type OpenApiDocument } from '@paydesk/contract';
import { origin_mark, type ReferencePath, references, type Site } from '@paydesk/docs/site';
import { homeContent, llmsText } from './home-page.ts';
import { Html } from './html.ts';
import { type MadeDocument, madeDocument } from './made-document.ts';
import { referenceMarkdown } from './reference-markdown.ts';
import { referenceContent, referenceContents } from './reference-page.ts';
import type { SiteFiles } from './site-files.ts';
import { framedPage, headingLinks, type PageName } from './site-frame.ts';

/** A page in both forms. */
export interface ServedPage {
  html: MadeDocument;
  markdown: MadeDocument;
}

export interface Installation {
  files: Pick<SiteFiles, 'site' | 'readPage'>;
  public_url: string;
  base_path: string;
}

const referencePaths = Object.keys(references) as ReferencePath[];

/** By path below `/docs`; '' is the first page. Each is made when it is first asked for. */
export function sitePages({ files, public_url, base_path }: Installation): ReadonlyMap<string, ServedPage> {
  const { site } = files;
  const addresses = {
    base_url: public_url,
    token_endpoint: `${public_url}/oauth/token`,
    userinfo_endpoint: `${public_url}/oauth/userinfo`,
  };
  const documents: Record<ReferencePath, () => OpenApiDocument> = {
    api: () => openapi(addresses),
    'admin-api': () => adminOpenapi(addresses),
  };
  const names = namesOf(site);
  const pages = new Map<string, ServedPage>();
  const common = { site, base_path, names };
  const markdownPath = (path: string): string => `${base_path}/docs/${path}.md`;
  const llms = madeDocument(() => llmsText(site, names, public_url));
  pages.set('', {
    html: madeDocument(() =>
      framedPage({
        ...{ ...common, page: null, below: new Html(''), markdown_path: `${base_path}/llms.txt` },
        content: homeContent({ site, names, base_path, document: documents.api() }),
      }),
    ),
    markdown: llms,
  });
  for (const path of referencePaths) {
    const name = { path, ...references[path] };
    const document = documents[path];
    const document_path = `${base_path}/${path === 'api' ? 'openapi' : 'openapi-admin'}.json`;
    pages.set(path, {
      html: madeDocument(() =>
        framedPage({
          ...{ ...common, page: name, markdown_path: markdownPath(path) },
          below: referenceContents(document()),
          content: referenceContent(document(), document_path),
        }),
      ),
      markdown: madeDocument(() => referenceMarkdown(document())),
    });
  }
  for (const page of site.pages) {
    pages.set(page.path, {
      html: madeDocument(async () => {
        const { html } = await files.readPage(page.path);
        return framedPage({
          ...{ ...common, page, markdown_path: markdownPath(page.path) },
          below: headingLinks(page.headings),
          content: new Html(html.replaceAll(origin_mark, base_path)),
        });
      }),
      markdown: madeDocument(async () => {
        const { markdown } = await files.readPage(page.path);
        return markdown.replaceAll(origin_mark, public_url);
      }),
    });
  }
  return pages;
}

function namesOf(site: Site): PageName[] {
  const written = new Map<string, PageName>(site.pages.map((page) => [page.path, page]));
  for (const path of referencePaths) written.set(path, { path, ...references[path] });
  return site.sections.flatMap(({ paths }) => paths.flatMap((path) => written.get(path) ?? []));
}
