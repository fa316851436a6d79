/** A proxy that ends TLS before a service, as in production: HTTP/2 to browsers, HTTP/1.1 with `X-Forwarded-…` behind it. */
import { createHash, X509Certificate } from 'node:crypto';
import { Agent, request as forward, type IncomingHttpHeaders } from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { testAuthority } from './tls.ts';

export interface TlsProxy {
  /** Such as `https://localhost:41234`. */
  origin: string;
  /** The key of its certificate, for `launchBrowser`. */
  key_hash: string;
  /** Passes requests on to the service at this address; until then it answers 502. */
  serve(url: string): void;
  stop(): Promise<void>;
}

export async function startTlsProxy(): Promise<TlsProxy> {
  const { cert, key } = await (await testAuthority()).issue();
  const agent = new Agent({ keepAlive: true });
  const sessions = new Set<ServerHttp2Session>();
  let target = 'http://127.0.0.1:1';
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    pass(request, response, { agent, target });
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    key_hash: createHash('sha256').update(spki).digest('base64'),
    serve: (url) => (target = url),
    async stop() {
      for (const session of sessions) session.destroy();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { agent, target }: { agent: Agent; target: string },
): void {
  // The test's own calls use HTTP/1.1.
  const host = request.headers[':authority'] ?? request.headers.host;
  const headers = {
    ...passedOn(request.headers),
    host,
    'x-forwarded-for': request.socket.remoteAddress,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': host,
  };
  const { url: path, method } = request;
  const sent = forward(target, { path, method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
    answer.on('error', () => response.stream.destroy());
    answer.pipe(response);
  });
  sent.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}

/** Without what concerns one connection only. */
const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(:.*|connection|keep-alive|transfer-encoding|x-forwarded-.*)$/.test(name),
    ),
  );
