/** Builds the documentation site. The service takes only types from here; it reads the files of the build. */
export { type BuildOptions, type Built, buildPages } from './build-site.ts';
export { type Found, type SearchEntry, searchIndex, searchOptions } from './search.ts';
