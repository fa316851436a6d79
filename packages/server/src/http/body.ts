/** Reads and decodes request bodies, with limits of size and time. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { parseJson } from '../base/input/json.ts';

/**
 * The body that a route accepts, set in `config.body`. `request.body` is then:
 *
 * - `json` (default of POST, PUT and PATCH): the value that `parseJson` read; a missing body is refused;
 * - `form`: `URLSearchParams`; only for routes that choose it;
 * - `raw`: the bytes of any type; empty if there is no body;
 * - `stream`: undefined; the route reads `request.raw` itself;
 * - `ignored` (default of other methods): undefined; the body is read up to the limit and dropped (D-018).
 */
export type BodyKind = 'json' | 'form' | 'raw' | 'stream' | 'ignored';

export interface BodyLimits {
  /** Bytes. */
  size: number;
  /** Milliseconds for the whole body to arrive. */
  timeout_ms: number;
}

export const bodyLimits: BodyLimits = { size: 65_536, timeout_ms: 15_000 };

/**
 * How much of a refused body is read and dropped, so that its sender gets the answer and no broken connection: as much as a proxy
 * passes. If a process breaks a connection, the proxy takes it for dead (D-1440).
 */
const drained = { size: 8_388_608, ms: 2_000 };

export function bodyKind(request: FastifyRequest): BodyKind {
  const { config } = request.routeOptions;
  return config.body ?? (['POST', 'PUT', 'PATCH'].includes(request.method) ? 'json' : 'ignored');
}

/**
 * Checks that the route accepts the type of the body, then reads its bytes.
 *
 * @throws AppError `unsupported_media_type` (R-005, D-018, H-07, H-11), `request_too_large` (D-017), `request_timeout`
 */
export async function readBody(request: FastifyRequest, limits: BodyLimits): Promise<Buffer> {
  const kind = bodyKind(request);
  if (kind === 'stream') return Buffer.alloc(0);
  const refusal = refusalOfType(kind, request);
  if (refusal === null) return readBytes(request.raw, limits);
  await drain(request.raw);
  throw refusal;
}

/** Reads and drops what is left of a refused body, within limits. A route that reads its stream itself calls it (D-1440). */
export async function drain(source: IncomingMessage): Promise<void> {
  if (source.readableEnded) return;
  const dropped = readBytes(source, { size: 0, timeout_ms: drained.ms });
  source.resume();
  await dropped.catch(() => undefined);
}

function refusalOfType(kind: BodyKind, { headers }: FastifyRequest): AppError | null {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') {
    const description = 'Send the body without content encoding.';
    return new AppError('unsupported_media_type', { description });
  }
  if (kind === 'json' && !isType(type, 'application/json')) return new AppError('unsupported_media_type');
  if (kind === 'form' && !isType(type, formType)) {
    return new AppError('unsupported_media_type', { description: `Send the body as ${formType}.` });
  }
  return null;
}

const formType = 'application/x-www-form-urlencoded';

/** Whether a `Content-Type` is this media type, in UTF-8 or without a charset. Case-insensitive. */
function isType(header: string, type: string): boolean {
  const [essence = '', ...parameters] = header.toLowerCase().split(';');
  const charsets = parameters.map((p) => p.trim()).filter((p) => p.startsWith('charset='));
  return essence.trim() === type && charsets.every((c) => /^charset=("?)utf-8\1$/.test(c));
}

function readBytes(source: IncomingMessage, { size, timeout_ms }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const most = Math.max(size, drained.size);
    const tooLarge = (): AppError => new AppError('request_too_large');
    const end = (error: AppError | null): void => {
      clearTimeout(timer);
      source.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error === null) resolve(Buffer.concat(chunks, received));
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received <= size) {
        chunks.push(chunk);
        return;
      }
      if (chunks.length > 0) {
        chunks.length = 0;
        clearTimeout(timer);
        timer = setTimeout(end, drained.ms, tooLarge());
      }
      if (received > most) end(tooLarge());
    };
    const onEnd = (): void => {
      end(received > size ? tooLarge() : null);
    };
    const onBroken = (): void => {
      end(new AppError('invalid_request', { description: 'The body is incomplete.' }));
    };
    let timer = setTimeout(() => {
      end(new AppError('request_timeout'));
    }, timeout_ms);
    if (Number(source.headers['content-length']) > most) end(tooLarge());
    else source.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/**
 * Converts the bytes to the value that the route expects.
 *
 * @throws AppError `invalid_request` for what cannot be parsed, also for an empty body where JSON is expected
 *   (R-059, H-08)
 */
export function decodeBody(kind: BodyKind, bytes: Buffer | undefined): unknown {
  switch (kind) {
    case 'json':
      return parseJson(bytes ?? Buffer.alloc(0));
    case 'form':
      return parseForm(bytes ?? Buffer.alloc(0));
    case 'raw':
      return bytes ?? Buffer.alloc(0);
    case 'stream':
    case 'ignored':
      return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the fields of a form in their order, including repeated ones.
 *
 * @throws AppError `invalid_request` if they are not UTF-8 or contain NUL (D-016, H-09)
 */
export function parseForm(bytes: Buffer): URLSearchParams {
  try {
    const text = utf8.decode(bytes);
    decodeURIComponent(text);
    if (text.includes('%00') || text.includes('\0')) throw new URIError('NUL');
    return new URLSearchParams(text);
  } catch {
    throw new AppError('invalid_request', { description: 'The form is not well-formed.' });
  }
}
