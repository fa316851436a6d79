import { request } from 'node:http';
import type { Json } from '../crash/ask.ts';

/** The answer to one request on a connection of its own. */
export interface OneAnswer {
  /** 0: no answer. */
  status: number;
  body: Json;
  /** The error code of the body; empty if there is none. */
  error: string;
  text: string;
  from_ms: number;
  to_ms: number;
}

/** Longer than the service makes a caller wait. */
const longest_ms = 20_000;

/** Sends one request on a connection of its own: which process answers is the balancer's choice each time. */
export function askOnce(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<OneAnswer> {
  const from_ms = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, text: string): void => {
      clearTimeout(patience);
      const parsed = parse(text);
      const error = typeof parsed.error === 'string' ? parsed.error : '';
      resolve({ status, body: parsed, error, text, from_ms, to_ms: performance.now() });
    };
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const sent = request(
      url,
      {
        ...{ method, agent: false },
        headers: {
          ...headers,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': payload.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          done(response.statusCode ?? 0, Buffer.concat(chunks).toString());
        });
        response.on('error', () => {
          done(0, '');
        });
      },
    );
    const patience = setTimeout(() => sent.destroy(), longest_ms);
    sent.on('error', () => {
      done(0, '');
    });
    sent.end(payload);
  });
}

function parse(text: string): Json {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Json) : {};
  } catch {
    return {};
  }
}
