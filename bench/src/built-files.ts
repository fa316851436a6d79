/** The built files of the service that the benchmarks start or import. A test checks that their sources exist. */
const server = new URL('../../packages/server/', import.meta.url);

export const builtFiles = {
  paydesk: new URL('bin/paydesk.js', server),
  embedded: new URL('dist/embedded/open-embedded.js', server),
  certificate: new URL('dist/demo/certificate.js', server),
  searchText: new URL('dist/catalog/search/search-text.js', server),
  oauthLibrary: new URL('dist/oauth/provider/load-library.js', server),
};
