/** Serves the platform's logo. Its address names the content, so browsers cache it for a year. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { LiveBranding } from '../base/settings/index.ts';

export function brandingRoutes(app: FastifyInstance, branding: LiveBranding): void {
  app.get<{ Params: { content_hash: string } }>('/branding/logo/:content_hash', (request, reply) => {
    const { content_hash } = request.params;
    const logo = branding.logo(content_hash);
    if (logo === null) throw new AppError('not_found');
    const etag = `"${content_hash}"`;
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', `default-src 'none'; sandbox`)
      // Mails show it in other people's pages.
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
    return reply.type(logo.content_type).send(logo.content);
  });
}
