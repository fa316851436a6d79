import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the fake service received. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One scripted answer: a status with a body, or a function that handles the response. */
export type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

export interface FakeService {
  origin: string;
  /** API requests, without token requests. */
  calls: Seen[];
  tokens: Seen[];
  /** Sets the answers of the next API requests, in order. The last one repeats. */
  answer: (...answers: Answer[]) => void;
  answerTokens: (...answers: Answer[]) => void;
  close: () => Promise<void>;
}

/** Closes the connection without an answer. */
export const reset: Answer = (response) => {
  response.destroy();
};

/** Announces a longer body than it sends. */
export const truncated: Answer = (response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"order_no":"mp_1"', () => {
    response.destroy();
  });
};

/** Never answers. */
export const silence: Answer = () => undefined;

/** Starts a fake service: an HTTP server on a free port with scripted answers. It records every request. */
export async function startService(): Promise<FakeService> {
  const calls: Seen[] = [];
  const tokens: Seen[] = [];
  let api_answers: Answer[] = [];
  let token_answers: Answer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      const is_token = url === '/token';
      (is_token ? tokens : calls).push(seen);
      const queue = is_token ? token_answers : api_answers;
      const numbered: Answer = {
        status: 200,
        body: { access_token: `token-${tokens.length}`, scope: 'x', expires_in: 3600 },
      };
      send(
        response,
        (queue.length > 1 ? queue.shift() : queue[0]) ?? (is_token ? numbered : { status: 404 }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    tokens,
    answer: (...answers) => {
      api_answers = answers;
    },
    answerTokens: (...answers) => {
      token_answers = answers;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'function') {
    answer(response);
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
}
