/** Asks who may call the routes of a scope: before the body of a call is read, and again after that of a write. */
import type { FastifyInstance, FastifyRequest, RouteGenericInterface } from 'fastify';
import { rememberAdmission } from './lists/while-allowed.ts';

/** Whether a call may change something. */
export const isWrite = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  !['GET', 'HEAD'].includes(method);

/**
 * Lets `admit` refuse calls before their body is read (D-011), and writes once more after it: a sender can hold the body
 * back, and whose access has ended meanwhile may not write (D-973). Long answers ask again too (`whileAllowed`).
 */
export function admitBy<R extends RouteGenericInterface>(
  scope: FastifyInstance,
  admit: (request: FastifyRequest<R>) => Promise<void>,
): void {
  scope.addHook<R>('onRequest', async (request) => {
    await admit(request);
    rememberAdmission(request, () => admit(request));
  });
  scope.addHook<R>('preHandler', async (request) => {
    if (isWrite(request)) await admit(request);
  });
}
