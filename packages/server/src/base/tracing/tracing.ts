/**
 * Spans of OpenTelemetry: what a request, a database call, a provider call and a delivery report about themselves. Only
 * `compose/tracing.ts` knows the SDK. Until it sets a tracer, each function here only runs the work it is given.
 *
 * Invariant: no span holds a secret. Attributes name routes, tables, hosts and codes; never a body, a value of a
 * statement, a query string or the path of an address.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Span, SpanContext } from '@opentelemetry/api';

export type { Attributes, Span, SpanContext };

/** Who calls whom: `server` answers a call, `client` makes one, `internal` is a step inside the process. */
export type Kind = 'internal' | 'server' | 'client';

/** Begins spans, and reads and writes the headers of W3C Trace Context. */
export interface Tracer {
  /** @param parent without it the span begins a trace */
  begin(name: string, kind: Kind, attributes: Attributes, parent: SpanContext | undefined): Span;
  /** The caller's span, as `traceparent` and `tracestate` name it. */
  read(headers: Readonly<Record<string, string | string[] | undefined>>): SpanContext | undefined;
  /** The headers that name a span to others. */
  write(span: SpanContext): Record<string, string>;
}

/** The span that work belongs to. */
interface Scope {
  readonly span: Span;
  /** Whether its database calls get no spans. */
  readonly quiet: boolean;
  /** Whether another span or an event names it as its cause. */
  used: boolean;
}

let tracer: Tracer | null = null;
const scopes = new AsyncLocalStorage<Scope | undefined>();

/** Turns traces on, or off with null. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== null;

export interface SpanOptions {
  kind?: Kind;
  attributes?: Attributes;
  /** The span that caused this one; null begins a trace. Default: the one that the work belongs to. */
  parent?: SpanContext | null;
}

/** Begins a span that the caller ends. Null where traces are off. */
export function beginSpan(
  name: string,
  { kind = 'internal', attributes = {}, parent }: SpanOptions = {},
): Span | null {
  if (tracer === null) return null;
  const from = parent === undefined ? use(scopes.getStore()) : (parent ?? undefined);
  return tracer.begin(name, kind, attributes, from);
}

/** Runs `work`, and all that it starts, as part of a span. */
export const runInSpan = <T>(span: Span, work: () => T): T =>
  scopes.run({ span, quiet: false, used: true }, work);

/** Runs `work` as a new span, which ends with it. `work` gets null where traces are off. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options);
  if (span === null) return work(null);
  try {
    return await runInSpan(span, () => work(span));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Runs a call of the database as a span. Only as a part of a span that is kept: the polling of background work would
 * fill every collector.
 *
 * @param summary computes the verbs and tables of the call, without values
 */
export function inQuerySpan<T>(summary: () => string, work: () => Promise<T>): Promise<T> {
  if (tracer === null) return work();
  const scope = scopes.getStore();
  if (scope === undefined || scope.quiet || !scope.span.isRecording()) return work();
  const text = summary();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': text };
  return inSpan(text, { kind: 'client', attributes }, work);
}

/**
 * Runs a pass of background work as a new trace. An empty pass reports nothing: its span is kept only if `work`
 * fails, returns more than 0, or caused another span or an event.
 */
export async function inPassSpan(name: string, work: () => Promise<number>): Promise<number> {
  const span = beginSpan(`pass ${name}`, { attributes: { 'paydesk.pass': name }, parent: null });
  if (span === null) return work();
  const scope: Scope = { span, quiet: true, used: false };
  try {
    const done = await scopes.run(scope, work);
    scope.used ||= done > 0;
    return done;
  } catch (error) {
    failSpan(span, error);
    scope.used = true;
    throw error;
  } finally {
    if (scope.used) span.end();
  }
}

/** Marks a span as failed, by an error or a code. The error's text may hold values, so only its kind is reported. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', kindOf(error));
  span.setStatus({ code: statusError });
}

/** The status code of a failed span in the API, which is loaded only with the SDK. */
const statusError = 2;

/** The code of an error of Paydesk, of the database or of the system; else its class. */
function kindOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

function use(scope: Scope | undefined): SpanContext | undefined {
  if (scope !== undefined) scope.used = true;
  return scope?.span.spanContext();
}

/** The headers that tell another service which span it is called from; empty outside a span. */
export function traceHeaders(): Record<string, string> {
  const from = tracer === null ? undefined : use(scopes.getStore());
  return tracer === null || from === undefined ? {} : tracer.write(from);
}

/** The span that the work belongs to, in the form of the header `traceparent`, for what continues it later; else null. */
export const traceparentNow = (): string | null => traceHeaders().traceparent ?? null;

/** The span that stored headers name; null where there are none, or none that can be read. */
export const spanOf = (traceparent: string | null): SpanContext | null =>
  (traceparent === null ? undefined : tracer?.read({ traceparent })) ?? null;

/** The caller's span, as its headers name it; null where they name none. */
export const callerOf = (headers: Parameters<Tracer['read']>[0]): SpanContext | null =>
  tracer?.read(headers) ?? null;

/** The members by which log lines find their trace. */
export function traceMembers(span: Span | undefined = scopes.getStore()?.span): Record<string, string> {
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
