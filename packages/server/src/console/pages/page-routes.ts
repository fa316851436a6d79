import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { pageNonce, sendPage } from '../../http/page.ts';
import { type ConsoleAsset, loadConsoleAssets } from './assets.ts';
import { consolePage } from './console-page.ts';

/** Every address that the application draws. What is drawn there it decides itself, unknown pages included. */
const pages = ['/console', '/console/merchants/*', '/platform', '/platform/*'];

/** A year: the name changes with the content. */
const forEver = 'public, max-age=31536000, immutable';

/**
 * The consoles: one page for every address below `/console` (merchants) and `/platform` (administrators), and the
 * files it loads. The page holds nothing of anybody; everything comes by the calls that the application makes.
 */
export function consolePageRoutes(app: FastifyInstance): void {
  const assets = loadConsoleAssets();
  const sendConsole = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (assets === null) {
      throw new AppError('service_unavailable', { description: 'The console is not built: npm run build.' });
    }
    const nonce = pageNonce();
    const html = consolePage(assets, { nonce, base_path: app.site.base_path });
    // Logos are wherever merchants keep them.
    return sendPage(reply, html, { nonce, img_src: ['https:'] });
  };
  for (const path of pages) app.get(path, sendConsole);
  // Whoever opens the bare address is a person: programs know theirs.
  app.get('/', (_request, reply) => reply.redirect(`${app.site.base_path}/console`, 303));

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
