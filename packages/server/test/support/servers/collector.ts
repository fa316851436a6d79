/** A collector of traces: a real receiver of OTLP over HTTP, as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../desks/service.ts';

/** A span as the collector got it. */
export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  /** Of the process that sent it. */
  resource: Record<string, unknown>;
  failed: boolean;
}

export interface Collector {
  url: string;
  /** What arrived, as sent. */
  readonly bodies: string[];
  /** The spans of a trace, once one of them is as wanted. */
  trace(trace_id: string, wanted: (span: CollectedSpan) => boolean): Promise<CollectedSpan[]>;
  close(): Promise<void>;
}

type Attribute = { key: string; value: Record<string, unknown> };
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[]; status: { code?: number } })[];
    }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansIn = (body: string): CollectedSpan[] =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
        failed: span.status.code === 2,
      })),
    ),
  );

export async function openCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    trace: (trace_id, wanted) =>
      eventually(
        () => Promise.resolve(bodies.flatMap(spansIn).filter(({ traceId }) => traceId === trace_id)),
        (spans) => spans.some(wanted),
      ),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
