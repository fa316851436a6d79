import { adminOpenapi, openapi } from '@paydesk/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import { referencePage } from './docs/reference-page.ts';
import { pageNonce, sendPage } from './page.ts';

/** Five minutes: the documents change only with the software and its configuration. */
const cacheable = 'public, max-age=300';

/**
 * Registers `/openapi.json`, `/docs` (the same document as a page) and `/openapi-admin.json` (the administration API).
 * They need no authentication: the only fact about this installation that they contain is its address.
 */
export function docsRoutes(app: FastifyInstance, { config }: { config: Pick<Config, 'public_url'> }): void {
  const { public_url } = config;
  const addresses = {
    base_url: public_url,
    token_endpoint: `${public_url}/oauth/token`,
    userinfo_endpoint: `${public_url}/oauth/userinfo`,
  };
  const document = openapi(addresses);
  const administration = adminOpenapi(addresses);
  const page = referencePage(document, `${app.site.base_path}/openapi.json`);

  app.get('/openapi.json', (_request, reply: FastifyReply) =>
    reply.header('cache-control', cacheable).send(document),
  );

  app.get('/openapi-admin.json', (_request, reply: FastifyReply) =>
    reply.header('cache-control', cacheable).send(administration),
  );

  app.get('/docs', (_request, reply: FastifyReply) => {
    const nonce = pageNonce();
    return sendPage(reply, page(nonce), { nonce });
  });
}
