/** The token endpoint (R-314, D-163), and revocation. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { drain } from '../../http/body.ts';
import { sendError } from '../../http/error-reply.ts';
import type { Limiter } from '../../http/rate-limit.ts';
import { type CallLibrary, revocationPath, runForProgram, tokenPath } from '../provider/index.ts';
import { type AnswerToken, libraryAnswers } from './library-answers.ts';

export function tokenRoutes(
  app: FastifyInstance,
  { call, limiter }: { call: CallLibrary; limiter: Limiter },
): void {
  const answer = libraryAnswers(call);
  const options = { config: { body: 'stream' }, errorHandler: sendTokenError } as const;
  app.post(tokenPath, options, async (request, reply) => {
    void reply.header('pragma', 'no-cache');
    return countFailures(request, limiter, () => askLibrary(request, reply, answer));
  });
  // A token that is unknown, expired or revoked already is a success too (RFC 7009).
  app.post(revocationPath, options, async (request, reply) => {
    void reply.header('pragma', 'no-cache');
    await countFailures(request, limiter, () => askLibrary(request, reply, answer));
    // The library sets another status for a token that Paydesk cannot have issued.
    return reply.code(200).send();
  });
}

/** For the operator: the caller gets the same answer as with a wrong secret. */
const wrongAddress = 'a client was refused, because its address is in none of its allowed_cidrs';

async function askLibrary(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerToken,
): Promise<unknown> {
  refuseAmbiguous(request);
  const address = request.client_address;
  const onRefused = (client_id: string): void => {
    request.log.warn({ client_id, address }, wrongAddress);
  };
  try {
    const { client_id, body } = await runForProgram({ address, onRefused }, () =>
      answer(request.raw, reply.raw),
    );
    request.client_id = client_id;
    return body;
  } catch (error) {
    // The library leaves such a body unread.
    if (error instanceof AppError && error.code === 'request_too_large') await drain(request.raw);
    throw error;
  }
}

/** Refuses credentials in the query, because addresses are logged, and two `Authorization` headers (D-164). */
function refuseAmbiguous({ query, raw }: FastifyRequest): void {
  const names = Object.keys(query as object);
  if (['client_id', 'client_secret', 'client_assertion', 'token'].some((name) => names.includes(name))) {
    throw new AppError('invalid_request', {
      description: 'Send the credentials in the form or by HTTP Basic.',
    });
  }
  const headers = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (headers.length > 1) {
    throw new AppError('invalid_request', { description: 'There are two Authorization headers.' });
  }
}

/** The errors of requests that did not authenticate. */
const unauthenticated = new Set([
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'unauthorized_client',
]);

/** Counts requests that do not authenticate against their address (D-158). */
async function countFailures<T>(
  request: FastifyRequest,
  limiter: Limiter,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && unauthenticated.has(error.code)) {
      await limiter.take('token_failures', request.client_ip);
    }
    throw error;
  }
}

/** Sends errors as RFC 6749 section 5.2 says (D-165): no 415 (H-07), and a Basic challenge with 401 (H-13). */
function sendTokenError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('pragma', 'no-cache');
  const isMediaType = 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
  const sent = isMediaType ? new AppError('invalid_request') : error;
  if (sent instanceof AppError && sent.status === 401) {
    void reply.header('www-authenticate', 'Basic realm="oauth"');
  }
  void sendError(sent, request, reply);
}
