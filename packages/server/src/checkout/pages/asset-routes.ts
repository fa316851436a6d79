/** Serves the checkout's scripts. Their names contain a hash of their content, so browsers cache them for a year. */
import { assetPath, type Assets } from '@paydesk/checkout';
import type { FastifyInstance } from 'fastify';
import { AppError, InvariantError } from '../../base/errors.ts';
import { sendStored } from '../../http/encoding/stored.ts';

const base = '/checkout/assets/';

export function assetRoutes(app: FastifyInstance, assets: Assets): void {
  app.get<{ Params: { name: string } }>(`${base}:name`, async (request, reply) => {
    const asset = assets.files.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    return sendStored(request, reply, asset);
  });
  // Pages link assets by `assetPath`. If the two paths differ, the service does not start.
  for (const asset of assets.files.values()) {
    if (!assetPath('', asset).startsWith(base)) throw new InvariantError('assets are served elsewhere');
  }
}
