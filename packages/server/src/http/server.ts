/**
 * The HTTP server of all APIs and pages.
 *
 *     const app = createHttp({ config, log, ids });
 *     someRoutes(app, deps);                   // app.post('/openapi/v1/…', { config: { body: 'json' } }, handler)
 *     await app.listen({ host, port });        // app.close() stops gracefully
 *
 * - Everything is served under `config.base_path`; routes are declared without it.
 * - `config.body` of a route is the kind of its body (body.ts): `json` (default), `form`, `raw`, `stream` or `ignored`.
 *   The body is read after the route's `onRequest` hooks. Checks that come before the body (bearer, limits; D-011) are
 *   such hooks.
 * - A plain value that a handler returns is sent as JSON, `bigint` as digits, whatever `Accept` says (H-12). `sendPage`
 *   (page.ts) sends HTML.
 * - A thrown `AppError` becomes the answer. Any other error is 500 `server_error` and logged with its stack.
 * - `request.client_ip` (D-161), `request.client_id` (null until a bearer check sets it; goes into the access log),
 *   `request.log` (carries the request id), `app.site` (origin, base path, whether cookies are Secure).
 * - Limits: `createLimiter` and `limiter.take` (rate-limit.ts). Cookies: cookies.ts. `requireSameOrigin`:
 *   same-origin.ts.
 */
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AppError } from '../base/errors.ts';
import type { IdSource } from '../base/ids.ts';
import { writeJson } from '../base/input/json.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config.ts';
import { compressAnswers } from './encoding/compress-answers.ts';
import { bodyKind, type BodyKind, type BodyLimits, bodyLimits, decodeBody, readBody } from './body.ts';
import { senderOf } from './request/client-ip.ts';
import { asAppError, refuseConnection, sendError } from './error-reply.ts';
import { createPrefixWatch } from './request/prefix-watch.ts';
import { logAccess, requestedPath } from './request/access-log.ts';
import { RequestLogger } from './request/request-logger.ts';
import { traceRequests } from './request/request-spans.ts';
import { belowPrefix, type Site, siteOf } from './public-url.ts';
import { stopGracefully } from './stop-gracefully.ts';
import { isForPeople, leadBack, pathOf, refusalOf, type UnknownPage } from './unknown-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyKind;
    /** Maximum size of this route's body, if it differs from the default. */
    max_body_bytes?: number;
  }
  interface FastifyInstance {
    readonly site: Site;
    /** Answers with the page for an address that is not there; null where only programs call. */
    unknownPage: UnknownPage | null;
    /** Accepts no more connections, and asks clients to open another one. Resolves when they did, or after this time. */
    leave(limit_ms: number): Promise<void>;
  }
  interface FastifyRequest {
    /** The sender's address, or its /64 (D-161). */
    readonly client_ip: string;
    /** The sender's full address, for address ranges. */
    readonly client_address: string;
    /** Whether a trusted proxy passed the request on. */
    readonly is_proxied: boolean;
    /** The OAuth client that made the request; null until it is authenticated. */
    client_id: string | null;
    /** The code of the error in the answer; null if the request succeeded. */
    error_code: string | null;
    /** The member of the request that the error of the answer names, or null. */
    error_field: string | null;
  }
}

export interface HttpOptions {
  config: Pick<Config, 'public_url' | 'base_path' | 'trusted_proxies'>;
  log: Logger;
  ids: IdSource;
  /** Limits of bodies. Only tests set them. */
  body_limits?: BodyLimits;
  /**
   * How long a stopping server waits for running requests; default 9 s, so that the rest of the process has one more
   * (H-24).
   */
  grace_ms?: number;
  /** Called for every answered request. */
  onAnswered?: (request: Answered) => void;
}

/** An answered request. */
export interface Answered {
  request_id: string;
  client_id: string | null;
  method: string;
  /** The pattern of the route; empty if no route matched. */
  route: string;
  /** Without the query, which may contain a token (R-034, D-192). */
  path: string;
  status: number;
  error: string | null;
  field: string | null;
  duration_ms: number;
}

/** All our identifiers are shorter than half of this. Longer path parts are unknown addresses (H-06). */
const maxParamLength = 512;
/** Time for a whole request to arrive. Bodies that body.ts reads have their own timer (H-11). */
const requestTimeout_ms = 15_000;

/**
 * Creates the configured server without routes. It does not listen yet. The router adds HEAD to each GET (H-03), and no
 * answer has CORS headers (H-04).
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { config, log, ids, body_limits = bodyLimits, grace_ms = 9_000, onAnswered } = options;
  const site = siteOf(config);
  const loggerInstance: FastifyBaseLogger = log;
  const app: FastifyInstance = fastify({
    loggerInstance,
    childLoggerFactory: (parent, bindings, options) => new RequestLogger(parent, bindings, options),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (req) => acceptedId(req.headers['x-request-id']) ?? ids.uuid(),
    rewriteUrl: (req) => belowPrefix(req.url ?? '/', site.base_path),
    routerOptions: { maxParamLength },
    requestTimeout: requestTimeout_ms,
    http: { headersTimeout: requestTimeout_ms, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      // The router failed before any hook ran.
      setDefaultHeaders(request, reply, site);
      void sendError(error, request, reply);
      logAccess(request, reply);
    },
    clientErrorHandler: refuseConnection,
  });
  app.decorate('site', site);
  app.setReplySerializer(writeJson);
  app.decorate('unknownPage', null);
  app.setErrorHandler((error, request, reply) => {
    const { unknownPage } = app;
    const isUnknown = asAppError(error).code === 'not_found' && isForPeople(request, pathOf(request));
    if (isUnknown && unknownPage !== null) leadBack(app, unknownPage, request, reply);
    else void sendError(error, request, reply);
  });
  decorateRequests(app, config);
  traceRequests(app);
  readBodies(app, body_limits);
  app.addHook('onResponse', (request, reply, done) => {
    logAccess(request, reply);
    onAnswered?.(answeredOf(request, reply));
    done();
  });
  // Node.js would answer 417 without a body. An expectation may be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  stopGracefully(app, grace_ms);
  compressAnswers(app);
  const watchPrefix = createPrefixWatch(site.base_path);
  app.addHook('onRequest', (request, reply, done) => {
    setDefaultHeaders(request, reply, site);
    const refusal = withoutHost(request) ?? refusalOf(request, reply);
    watchPrefix(request, refusal !== undefined);
    done(refusal);
  });
  return app;
}

/** The error of HTTP/1.1 without `Host`, for which Node.js would answer 400 without a body. */
function withoutHost({ raw }: FastifyRequest): AppError | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return undefined;
  return new AppError('invalid_request', { description: 'The header Host is missing.' });
}

/** The request id of the caller, if it is safe in logs (H-21). */
function acceptedId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(header) ? header : undefined;
}

/** Sets the headers of every answer: no caching (H-15), no MIME sniffing (H-17), no referrer from our pages. */
function setDefaultHeaders(request: FastifyRequest, reply: FastifyReply, site: Site): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  if (site.secure) reply.header('strict-transport-security', 'max-age=31536000');
}

function decorateRequests(app: FastifyInstance, config: HttpOptions['config']): void {
  let warned = false;
  const senderOfRequest = senderOf(config.trusted_proxies, (peer) => {
    if (warned) return;
    warned = true;
    app.log.warn(
      { peer },
      'X-Forwarded-For is ignored, because its sender is not a trusted proxy: if it is yours, add its address to PAYDESK_TRUSTED_PROXIES',
    );
  });
  app.decorateRequest('client_id', null);
  app.decorateRequest('error_code', null);
  app.decorateRequest('error_field', null);
  const sender = ({ raw, headers }: FastifyRequest) =>
    senderOfRequest(raw.socket.remoteAddress, headers['x-forwarded-for']);
  app.decorateRequest('client_ip', {
    getter(this: FastifyRequest) {
      return sender(this).key;
    },
  });
  app.decorateRequest('client_address', {
    getter(this: FastifyRequest) {
      return sender(this).address;
    },
  });
  app.decorateRequest('is_proxied', {
    getter(this: FastifyRequest) {
      return sender(this).is_proxied;
    },
  });
}

function readBodies(app: FastifyInstance, limits: BodyLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest) => {
    const { max_body_bytes: size = limits.size } = request.routeOptions.config;
    return readBody(request, { ...limits, size });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    try {
      request.body = decodeBody(bodyKind(request), request.body as Buffer | undefined);
      checkQuery(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Refuses query strings that are not UTF-8, or contain NUL, which the database cannot store (D-156, H-22). An invalid
 * `limit` or `page` has a meaning.
 */
function checkQuery(request: FastifyRequest): void {
  const sent = /\?(.*)$/s.exec(request.raw.url ?? '')?.[1] ?? '';
  const query = sent.replaceAll(/(?<=^|&)(?:limit|page)=[^&]*/g, '');
  try {
    if (!decodeURIComponent(query).includes('\0')) return;
  } catch {
    // Falls through: an invalid escape.
  }
  throw new AppError('invalid_request', { description: 'The query string is not well-formed.' });
}

const answeredOf = (request: FastifyRequest, reply: FastifyReply): Answered => ({
  request_id: request.id,
  client_id: request.client_id,
  method: request.method,
  route: request.routeOptions.url ?? '',
  path: requestedPath(request),
  status: reply.statusCode,
  error: request.error_code,
  field: request.error_field,
  duration_ms: reply.elapsedTime,
});
