/**
 * Merchants' receivers: TLS servers on ports of their own. Some of them accept a notification and never answer. They
 * record when notifications arrive and how old they are. A plain HTTP server controls them:
 *
 *     GET /ports    {healthy: [port], hanging: [port]}
 *     GET /figures  figures of the notifications that healthy receivers got since the last reset
 *     POST /reset
 */
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { percentile } from '../load/percentile.ts';

const [control = '', healthy = '', hanging = '', cert_file = '', key_file = ''] = process.argv.slice(2);
const certificate = { cert: readFileSync(cert_file), key: readFileSync(key_file) };

let arrivals: number[] = [];
let ages: number[] = [];

/** A healthy receiver reads the whole notification and acknowledges it. */
function openHealthy(): Server {
  return createServer(certificate, (request, response) => {
    let body = '';
    request.setEncoding('latin1');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const now = Date.now();
      arrivals.push(now);
      ages.push(now - Date.parse(/"created_at":"([^"]+)"/.exec(body)?.[1] ?? ''));
      response.writeHead(204).end();
    });
  });
}

const openHanging = (): Server => createServer(certificate, (request) => request.resume());

async function openServers(count: string, open: () => Server): Promise<number[]> {
  const ports = [];
  for (let i = 0; i < Number(count); i++) {
    const server = open();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  return ports;
}

function figures() {
  const sorted = Float64Array.from(ages).sort();
  // The middle of the run, without its start and its end, when most receivers are done.
  const [from, to] = [Math.floor(arrivals.length * 0.1), Math.floor(arrivals.length * 0.9)];
  const span_ms = (arrivals[to] ?? 0) - (arrivals[from] ?? 0);
  return {
    count: arrivals.length,
    rate: span_ms > 0 ? ((to - from) / span_ms) * 1_000 : 0,
    p50_ms: percentile(sorted, 0.5),
    p95_ms: percentile(sorted, 0.95),
  };
}

const ports = {
  healthy: await openServers(healthy, openHealthy),
  hanging: await openServers(hanging, openHanging),
};
createPlain((request, response) => {
  const answers: Record<string, () => unknown> = {
    'GET /ports': () => ports,
    'GET /figures': figures,
    'POST /reset': () => {
      arrivals = [];
      ages = [];
      return {};
    },
  };
  const answer = answers[`${request.method ?? ''} ${request.url ?? ''}`];
  response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer?.()));
}).listen(Number(control), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
