/** The built documentation: `site.json`, and a file with the content of each page. The service adds the frame around it. */

/** A heading of a page that a link can lead to. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** What the contents and the frame tell of a page that was written or generated before the service runs. */
export interface SitePage {
  /** Its path below `/docs`, such as `operating/alerts`. */
  readonly path: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly headings: readonly Heading[];
}

/** The text of a page, in the file `pages/PATH.json`: the service reads it when the page is first asked for. */
export interface PageContent {
  /** With its heading. `origin_mark` stands for the path prefix of the service. */
  readonly html: string;
  /** For programs. `origin_mark` stands for the public address of the service. */
  readonly markdown: string;
}

/** The two pages that the service makes itself, because they contain its address: from its OpenAPI documents. */
export type ReferencePath = 'api' | 'admin-api';

export interface SiteSection {
  readonly title: string;
  /** Paths of pages, in the order of the contents. */
  readonly paths: readonly string[];
}

/** A file beside the pages. Its name contains a hash of the content. */
export interface SiteAsset {
  readonly content_type: string;
  /** Whether there is a second file `NAME.br` with the content in Brotli. */
  readonly compressed: boolean;
}

export interface Site {
  readonly sections: readonly SiteSection[];
  readonly pages: readonly SitePage[];
  readonly assets: Readonly<Record<string, SiteAsset>>;
  /** The names of the script and of the search index; null if nothing was bundled. */
  readonly script: string | null;
  readonly search_index: string | null;
}

/** Stands in stored pages where the address of the installation belongs: a character of no language. */
export const origin_mark = '\uE000';

/** The pages that the service makes itself, and what they are about. */
export const references: Readonly<Record<ReferencePath, { title: string; summary: string }>> = {
  api: {
    title: 'API reference',
    summary: 'Every call for merchants, their apps and the checkout, with an example for the shell.',
  },
  'admin-api': {
    title: 'Administration API',
    summary: 'Every call for the people who run the platform.',
  },
};
