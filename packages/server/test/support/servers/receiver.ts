import { createServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Authority, IssueOptions } from './tls.ts';

/** How the receiver answers: a status, or one of the ways in which receivers are broken. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | 'hang' // takes the request and never answers
  | 'drip' // sends its response headers byte by byte, without end
  | 'flood' // sends response headers without end, as fast as they are taken
  | 'cut' // announces a body and drops the connection in the midst of it
  | 'early-hints' // informational responses only
  | 'endless' // a 200 with a body that never ends
  | 'reset' // drops the connection
  | 'garbage'; // answers with something that is not HTTP

/** One request as it came in. */
export interface Received {
  method: string;
  path: string;
  http_version: string;
  headers: IncomingHttpHeaders;
  /** Names and values as sent, in turn. */
  raw_headers: string[];
  body: Buffer;
  /** The name in the TLS handshake, or false. */
  server_name: string | false;
  /** Tells connections apart. */
  connection: number;
}

export interface Receiver {
  port: number;
  received: Received[];
  /** How many TCP connections were opened. */
  readonly connections: number;
  /** How many are open now. */
  readonly open: number;
  /** An address of this receiver. */
  url(path?: string, host?: string): string;
  /** Decides all answers from here on; default 200. */
  answerWith(answer: Answer | ((request: Received) => Answer | Promise<Answer>)): void;
  /** Fulfilled once `count` requests are there in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A real HTTPS server on the loopback address, with a certificate of the test's authority. */
export async function openReceiver(authority: Authority, options: IssueOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<{ count: number; done: () => void }>();
  const sockets = new Map<Socket, number>();
  const timers = new Set<NodeJS.Timeout>();
  let connections = 0;
  let answer: (request: Received) => Answer | Promise<Answer> = () => ({ status: 200 });

  const server = createServer(await authority.issue(options), (request, response) => {
    void read(request, sockets.get(request.socket) ?? 0).then(async (item) => {
      received.push(item);
      for (const waiter of waiting) if (received.length >= waiter.count) waiter.done();
      give(await answer(item), response, timers);
    });
  });
  server.on('secureConnection', (socket) => {
    sockets.set(socket, ++connections);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    received,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    url: (path = '/hook', host = '127.0.0.1') => `https://${host}:${port}${path}`,
    answerWith(next) {
      answer = typeof next === 'function' ? next : () => next;
    },
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) {
          resolve();
          return;
        }
        const waiter = {
          count,
          done: () => {
            waiting.delete(waiter);
            resolve();
          },
        };
        waiting.add(waiter);
      }),
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage, connection: number): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { servername } = request.socket as Socket & { servername?: string | false };
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    http_version: request.httpVersion,
    headers: request.headers,
    raw_headers: request.rawHeaders,
    body: Buffer.concat(chunks),
    server_name: servername ?? false,
    connection,
  };
}

function give(answer: Answer, response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  const { socket } = response;
  const repeat = (every_ms: number, work: () => void): void => {
    const timer = setInterval(work, every_ms);
    timers.add(timer);
    socket?.on('close', () => {
      clearInterval(timer);
      timers.delete(timer);
    });
  };
  if (typeof answer === 'object') {
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  switch (answer) {
    case 'hang':
      return;
    case 'drip':
      socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      repeat(100, () => socket?.write('x'));
      return;
    case 'flood':
      socket?.write('HTTP/1.1 200 OK\r\n');
      repeat(1, () => socket?.write('X-More: yes\r\n'.repeat(1_000)));
      return;
    case 'cut':
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x', () => socket?.destroy());
      return;
    case 'early-hints':
      repeat(200, () => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
      return;
    case 'endless':
      response.writeHead(200);
      repeat(5, () => response.write(Buffer.alloc(4_096)));
      return;
    case 'reset':
      socket?.destroy();
      return;
    case 'garbage':
      socket?.end('SSH-2.0-OpenSSH_9.2\r\n');
  }
}
