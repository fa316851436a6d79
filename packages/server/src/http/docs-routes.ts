import { adminOpenapi, openapi } from '@paydesk/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Config } from '../config.ts';
import { isKnown, type MadeDocument, madeDocument } from './docs/made-document.ts';
import { securityTxt } from './docs/security-txt.ts';
import { siteFiles, type SiteFiles } from './docs/site-files.ts';
import { styleHash } from './docs/site-frame.ts';
import { sitePages } from './docs/site-pages.ts';
import { acceptedEncoding } from './encoding/accepted-encoding.ts';
import { jsonType } from './error-reply.ts';
import { setPageHeaders } from './page.ts';

/** Five minutes: the documents change only with the software and its configuration. */
const cacheable = 'public, max-age=300';

/** One year: a changed file has another name. */
const forEver = 'public, max-age=31536000, immutable';

export interface DocsDeps {
  config: Pick<Config, 'public_url' | 'security'>;
  clock: Clock;
  /** The built documentation. Absent: that of the build, or the API reference alone. */
  files?: SiteFiles;
}

/**
 * Registers `/docs` and its pages, also as Markdown, `/llms.txt` (D-289), `/openapi.json` and `/openapi-admin.json` (the
 * administration API). They need no authentication: the only fact about this installation that they contain is its
 * address. Each is made and compressed once. `/.well-known/security.txt` exists where its contact is configured.
 */
export function docsRoutes(app: FastifyInstance, { config, clock, files = siteFiles() }: DocsDeps): void {
  const { public_url } = config;
  const addresses = {
    base_url: public_url,
    token_endpoint: `${public_url}/oauth/token`,
    userinfo_endpoint: `${public_url}/oauth/userinfo`,
  };
  const document = madeDocument(() => JSON.stringify(openapi(addresses)));
  const administration = madeDocument(() => JSON.stringify(adminOpenapi(addresses)));

  app.get('/openapi.json', (request, reply) => sendMade(request, reply.type(jsonType), document));

  app.get('/openapi-admin.json', (request, reply) => sendMade(request, reply.type(jsonType), administration));

  siteRoutes(app, public_url, files);

  app.get('/.well-known/security.txt', (_request, reply) => {
    if (config.security === null) throw new AppError('not_found');
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', cacheable)
      .send(securityTxt({ ...config.security, public_url }, clock.real()));
  });
}

/** The pages of the documentation: each as HTML and, with `.md` after its path, as Markdown (D-288). */
function siteRoutes(app: FastifyInstance, public_url: string, files: SiteFiles): void {
  const pages = sitePages({ files, public_url, base_path: app.site.base_path });
  const sendPage = (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const isMarkdown = path.endsWith('.md');
    const page = pages.get(isMarkdown ? path.slice(0, -'.md'.length) : path);
    if (page === undefined || path === '.md') throw new AppError('not_found');
    if (isMarkdown) return sendMade(request, reply.type('text/markdown; charset=utf-8'), page.markdown);
    setPageHeaders(reply, { style_hash: styleHash });
    return sendMade(request, reply, page.html);
  };

  app.get('/docs', (request, reply) => sendPage(request, reply, ''));

  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    if (request.params['*'] === '') throw new AppError('not_found');
    return sendPage(request, reply, request.params['*']);
  });

  app.get('/llms.txt', (request, reply) => {
    const list = pages.get('')?.markdown;
    if (list === undefined) throw new AppError('not_found');
    return sendMade(request, reply.type('text/plain; charset=utf-8'), list);
  });

  app.get<{ Params: { name: string } }>('/docs/assets/:name', async (request, reply) => {
    const accepts_brotli = acceptedEncoding(request.headers['accept-encoding']) === 'br';
    const found = await files.readAsset(request.params.name, accepts_brotli);
    if (found === null) throw new AppError('not_found');
    reply.type(found.asset.content_type).header('cache-control', forEver);
    if (found.asset.compressed) reply.header('vary', 'accept-encoding');
    if (found.is_brotli) reply.header('content-encoding', 'br');
    return reply.send(found.bytes);
  });
}

/** Sends the form that the caller accepts, or 304 if the caller has it. */
async function sendMade(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  document: MadeDocument,
): Promise<FastifyReply> {
  const form = await document.formFor(headers['accept-encoding']);
  reply.header('cache-control', cacheable).header('vary', 'accept-encoding').header('etag', form.etag);
  if (isKnown(headers['if-none-match'], form)) return reply.code(304).send();
  if (form.encoding !== null) reply.header('content-encoding', form.encoding);
  return reply.send(form.bytes);
}
