/**
 * `GET /embed/v1.js`: the script with which a merchant's page shows the checkout in a frame (ADR 49). The address stays, and
 * what it serves stays compatible; a repair arrives within an hour.
 */
import type { Assets } from '@paydesk/checkout';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sendStored } from '../../http/encoding/stored.ts';

export function embedScriptRoutes(app: FastifyInstance, { embed }: Assets): void {
  const etag = `"${embed?.name ?? ''}"`;
  app.get('/embed/v1.js', async (request, reply) => {
    if (embed === null) throw new AppError('not_found');
    // Pages of other origins load it, also those that isolate themselves.
    reply.header('etag', etag).header('cross-origin-resource-policy', 'cross-origin');
    if (request.headers['if-none-match'] !== etag) return sendStored(request, reply, embed, forAnHour);
    return reply.code(304).header('cache-control', forAnHour).header('vary', 'accept-encoding').send();
  });
}

const forAnHour = 'public, max-age=3600';
