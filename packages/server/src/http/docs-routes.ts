import { adminOpenapi, openapi } from '@paydesk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Config } from '../config.ts';
import { isKnown, type MadeDocument, madeDocument } from './docs/made-document.ts';
import { referencePage, styleHash } from './docs/reference-page.ts';
import { securityTxt } from './docs/security-txt.ts';
import { jsonType } from './error-reply.ts';
import { setPageHeaders } from './page.ts';

/** Five minutes: the documents change only with the software and its configuration. */
const cacheable = 'public, max-age=300';

export interface DocsDeps {
  config: Pick<Config, 'public_url' | 'security'>;
  clock: Clock;
}

/**
 * Registers `/openapi.json`, `/docs` (the same document as a page) and `/openapi-admin.json` (the administration API).
 * They need no authentication: the only fact about this installation that they contain is its address. Each is made and
 * compressed once. `/.well-known/security.txt` exists where its contact is configured.
 */
export function docsRoutes(app: FastifyInstance, { config, clock }: DocsDeps): void {
  const { public_url } = config;
  const addresses = {
    base_url: public_url,
    token_endpoint: `${public_url}/oauth/token`,
    userinfo_endpoint: `${public_url}/oauth/userinfo`,
  };
  const document = madeDocument(() => JSON.stringify(openapi(addresses)));
  const administration = madeDocument(() => JSON.stringify(adminOpenapi(addresses)));
  const page = madeDocument(() => referencePage(openapi(addresses), `${app.site.base_path}/openapi.json`));

  app.get('/openapi.json', (request, reply) => sendMade(request, reply.type(jsonType), document));

  app.get('/openapi-admin.json', (request, reply) => sendMade(request, reply.type(jsonType), administration));

  app.get('/docs', (request, reply) => {
    setPageHeaders(reply, { style_hash: styleHash });
    return sendMade(request, reply, page);
  });

  app.get('/.well-known/security.txt', (_request, reply) => {
    if (config.security === null) throw new AppError('not_found');
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', cacheable)
      .send(securityTxt({ ...config.security, public_url }, clock.real()));
  });
}

/** Sends the form that the caller accepts, or 304 if the caller has it. */
async function sendMade(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  document: MadeDocument,
): Promise<FastifyReply> {
  const accepted = headers['accept-encoding'];
  const form = await document.formFor(Array.isArray(accepted) ? accepted.join(',') : accepted);
  reply.header('cache-control', cacheable).header('vary', 'accept-encoding').header('etag', form.etag);
  if (isKnown(headers['if-none-match'], form)) return reply.code(304).send();
  if (form.encoding !== null) reply.header('content-encoding', form.encoding);
  return reply.send(form.bytes);
}
