import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { LiveBranding } from '../../base/settings/index.ts';
import { pageNonce, sendPage } from '../../http/page.ts';
import { type ConsoleAsset, loadConsoleAssets } from './assets.ts';
import { consolePage } from './console-page.ts';

/** Every address of the application. The application itself shows unknown pages. */
const pages = ['/console', '/console/merchants/*', '/platform', '/platform/*'];

/** One year: a changed file has another name. */
const forEver = 'public, max-age=31536000, immutable';

/**
 * The consoles: one page for all addresses below `/console` (merchants) and `/platform` (administrators), and the
 * page's files. The page contains no data; the application loads data through the API.
 */
export function consolePageRoutes(app: FastifyInstance, branding: Pick<LiveBranding, 'current'>): void {
  const assets = loadConsoleAssets();
  const sendConsole = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (assets === null) {
      throw new AppError('service_unavailable', { description: 'The console is not built: npm run build.' });
    }
    const nonce = pageNonce();
    const html = consolePage(assets, {
      nonce,
      base_path: app.site.base_path,
      branding: branding.current(),
    });
    return sendPage(reply, html, { nonce });
  };
  for (const path of pages) app.get(path, sendConsole);

  app.get<{ Params: { name: string } }>('/console/assets/:name', (request, reply) => {
    const asset = assets?.files.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    return sendAsset(request, reply, asset);
  });
}

function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content_type, bytes, compressed }: ConsoleAsset,
): FastifyReply {
  const accepted = /\bbr\b/.test(headers['accept-encoding']?.toString() ?? '');
  reply.type(content_type).header('cache-control', forEver).header('vary', 'accept-encoding');
  if (!accepted || compressed === null) return reply.send(bytes);
  return reply.header('content-encoding', 'br').send(compressed);
}
