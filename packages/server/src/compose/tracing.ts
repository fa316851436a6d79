/**
 * Turns traces on where the standard variables of OpenTelemetry ask for it. The SDK is loaded only then. It sends spans by
 * OTLP over HTTP in the background: no request waits for the collector, and a process starts and serves without it.
 */
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type * as Api from '@opentelemetry/api';
import type * as Core from '@opentelemetry/core';
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace-base';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';
import { release } from '../base/release.ts';
import { setTracer, type Tracer } from '../base/tracing/tracing.ts';
import { ConfigError } from '../config.ts';
import type { Environment } from '../environment.ts';

/** The traces of a process. */
export interface Tracing {
  /** From now on, tells this log when spans are lost. */
  reportTo(log: Logger): void;
  /** Adds the figures to what `/metrics` shows. */
  register(registry: Registry): void;
  /** Sends the remaining spans within a second, and turns traces off. */
  stop(): Promise<void>;
}

/** How long a stopping process waits for the collector. */
const lastSpans_ms = 1_000;

/**
 * How long an export may take, with its retries, where the environment does not say: it may hold up the end of a
 * process.
 */
const usualTimeout_ms = 3_000;

/** What the exporter reports: how many spans it sent, and how many it lost. */
interface Observer {
  sent(spans: number): void;
  lost(spans: number, error: Error | undefined): void;
  warn(text: string): void;
}

/**
 * Turns traces on. The SDK itself reads the other variables: sampler, limits, headers, certificates.
 *
 * @returns null where no endpoint is set, or `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER` turns traces off
 * @throws ConfigError
 */
export function startTracing(env: Environment): Tracing | null {
  const protocol = protocolOf(env);
  if (protocol === null) return null;
  let log: Logger | undefined;
  const early: string[] = [];
  const spans = new Counter({
    name: 'paydesk_trace_spans_total',
    help: 'Spans that ended in this process, by whether the collector took them.',
    labelNames: ['outcome'],
    registers: [],
  });
  for (const outcome of ['sent', 'lost']) spans.inc({ outcome }, 0);
  let isAway = false;
  const hasTimeout = ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'].some(
    (variable) => nameOf(env, variable) !== undefined,
  );
  const exporting = { protocol, ...(hasTimeout ? {} : { timeoutMillis: usualTimeout_ms }) };
  const sdk = withVariables(env, () =>
    loadSdk(exporting, {
      sent(count) {
        spans.inc({ outcome: 'sent' }, count);
        if (isAway) log?.info('traces are sent again');
        isAway = false;
      },
      lost(count, err) {
        spans.inc({ outcome: 'lost' }, count);
        // Once for each outage.
        if (!isAway) log?.warn({ err }, 'traces are lost: the collector does not take them');
        isAway = true;
      },
      warn(text) {
        if (log === undefined) early.push(text);
        else log.warn(text);
      },
    }),
  );
  setTracer(sdk.tracer);
  return {
    reportTo(to) {
      log = to;
      for (const text of early.splice(0)) to.warn(text);
    },
    register: (registry) => {
      registry.registerMetric(spans);
    },
    async stop() {
      setTracer(null);
      // A collector that does not answer would only delay the end.
      if (isAway) return;
      await Promise.race([sdk.shutDown(), pause(lastSpans_ms, undefined, { ref: false })]);
    },
  };
}

/**
 * Runs `load` while the process has the variables of this environment too. The SDK reads them from the process alone,
 * and what came from a file is not there. It does not stay there: programs that this process starts would inherit a
 * key.
 */
function withVariables<T>(env: Environment, load: () => T): T {
  const fromFiles = Object.entries(env).filter(
    ([name]) => name.startsWith('OTEL_') && process.env[name] === undefined,
  );
  for (const [name, text] of fromFiles) process.env[name] = text;
  try {
    return load();
  } finally {
    for (const [name] of fromFiles) Reflect.deleteProperty(process.env, name);
  }
}

type Protocol = 'http/json' | 'http/protobuf';

/** How spans are sent; null where they are not. */
function protocolOf(env: Environment): Protocol | null {
  const endpoint =
    nameOf(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? nameOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return null;
  const { protocol } = URL.canParse(endpoint.text) ? new URL(endpoint.text) : { protocol: '' };
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new ConfigError(endpoint.variable, 'must be an address that starts with http:// or https://.');
  }
  const asked =
    nameOf(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? nameOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (asked === undefined) return 'http/json';
  if (asked.text === 'http/json' || asked.text === 'http/protobuf') return asked.text;
  throw new ConfigError(asked.variable, `must be http/json or http/protobuf, not "${asked.text}".`);
}

function nameOf(env: Environment, variable: string): { variable: string; text: string } | undefined {
  const text = env[variable]?.trim();
  return text === undefined || text === '' ? undefined : { variable, text };
}

/** Loads the SDK and makes our tracer of it. */
function loadSdk(
  { protocol, ...options }: { protocol: Protocol; timeoutMillis?: number },
  observer: Observer,
): { tracer: Tracer; shutDown: () => Promise<void> } {
  // Its packages are CommonJS; what they offer to bundlers as modules does not run in Node.js. In the built service they are
  // one file (scripts/lib/bundle-opentelemetry.js changes the next line).
  const load = createRequire(import.meta.url);
  const api = load('@opentelemetry/api') as typeof Api;
  const core = load('@opentelemetry/core') as typeof Core;
  const resources = load('@opentelemetry/resources') as typeof Resources;
  const sdk = load('@opentelemetry/sdk-trace-base') as typeof Sdk;
  const { OTLPTraceExporter } = load(
    protocol === 'http/json'
      ? '@opentelemetry/exporter-trace-otlp-http'
      : '@opentelemetry/exporter-trace-otlp-proto',
  ) as typeof Exporter;
  const ignore = (): void => undefined;
  const warn = (text: string): void => {
    observer.warn(text);
  };
  api.diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'paydesk', 'service.version': release })
      .merge(
        resources.detectResources({
          detectors: [resources.serviceInstanceIdDetector, resources.envDetector],
        }),
      ),
    spanProcessors: [new sdk.BatchSpanProcessor(observed(new OTLPTraceExporter(options), observer))],
  });
  const tracer = provider.getTracer('paydesk', release);
  const w3c = new core.W3CTraceContextPropagator();
  const kinds = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
  };
  const root = api.ROOT_CONTEXT;
  const within = (parent: Parameters<Tracer['write']>[0] | undefined): typeof root =>
    parent === undefined ? root : api.trace.setSpanContext(root, parent);
  return {
    tracer: {
      begin: (name, kind, attributes, parent) =>
        tracer.startSpan(name, { kind: kinds[kind], attributes }, within(parent)),
      read: (headers) => api.trace.getSpanContext(w3c.extract(root, headers, api.defaultTextMapGetter)),
      write(span) {
        const headers: Record<string, string> = {};
        w3c.inject(within(span), headers, api.defaultTextMapSetter);
        return headers;
      },
    },
    shutDown: async () => {
      await provider.shutdown();
      api.diag.disable();
    },
  };
}

/** Tells the observer of each export. The SDK learns of no failure, as it would only print it. */
const observed = (exporter: Sdk.SpanExporter, observer: Observer): Sdk.SpanExporter => ({
  export(spans, done) {
    exporter.export(spans, ({ code, error }) => {
      if ((code as number) === 0) observer.sent(spans.length);
      else observer.lost(spans.length, error);
      done({ code: 0 });
    });
  },
  shutdown: () => exporter.shutdown(),
  forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
});
