/** Serves merchants' logos from our own origin (R-382). The address names the content, so browsers cache it for a year. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { FindLogo } from '../../merchants/index.ts';
import type { Limiter } from '../../http/rate-limit.ts';

interface LogoRoutesDeps {
  findLogo: FindLogo;
  limiter: Pick<Limiter, 'take'>;
}

type LogoRequest = FastifyRequest<{ Params: { merchant_id: string; content_hash: string } }>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function logoRoutes(app: FastifyInstance, { findLogo, limiter }: LogoRoutesDeps): void {
  app.get('/checkout/logos/:merchant_id/:content_hash', async (request: LogoRequest, reply) => {
    const { merchant_id, content_hash } = request.params;
    const logo = uuid.test(merchant_id) ? await findLogo(merchant_id) : null;
    if (logo?.content_hash !== content_hash) {
      // Only requests for unknown logos count against the limit: a page's own logo costs its buyer nothing.
      await limiter.take('checkout_read', request.client_ip);
      throw new AppError('not_found');
    }
    const etag = `"${content_hash}"`;
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', `default-src 'none'; sandbox`)
      .header('cross-origin-resource-policy', 'same-origin')
      .header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
    return reply.type(logo.content_type).send(logo.content);
  });
}
