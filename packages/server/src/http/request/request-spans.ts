/**
 * The span of each request. It has the template of the route, and neither the path nor the query, which may hold
 * tokens.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  beginSpan,
  callerOf,
  failSpan,
  isTracing,
  runInSpan,
  type Span,
} from '../../base/tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where traces are off, and for what balancers and Prometheus ask again and again. */
    span: Span | null;
  }
}

/** Routes that are asked every few seconds and tell nothing. */
const untraced = new Set(['/healthz', '/readyz', '/metrics']);

/** Begins a span with each request, in the trace that its `traceparent` names; all that answers it is part of it. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined && untraced.has(route)) {
      done();
      return;
    }
    const attributes = {
      'http.request.method': method,
      'url.scheme': app.site.secure ? 'https' : 'http',
      'paydesk.request_id': request.id,
      ...(route === undefined ? {} : { 'http.route': route }),
    };
    const name = route === undefined ? method : `${method} ${route}`;
    const span = beginSpan(name, { kind: 'server', attributes, parent: callerOf(request.headers) });
    request.span = span;
    if (span === null) done();
    else runInSpan(span, done);
  });
  // A body is read outside of the request's context, so what comes after it is brought back.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === null) done();
    else runInSpan(request.span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply);
    done();
  });
}

function endSpan({ span, error_code }: FastifyRequest, { statusCode }: FastifyReply): void {
  if (span === null) return;
  span.setAttribute('http.response.status_code', statusCode);
  const error = error_code ?? String(statusCode);
  // An error of the caller is not a failure of the service.
  if (statusCode >= 500) failSpan(span, error);
  else if (statusCode >= 400) span.setAttribute('error.type', error);
  span.end();
}
