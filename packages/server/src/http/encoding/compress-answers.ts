/** Compresses answers while they are sent. docs/adr/0050-compressed-answers.md says what is not compressed, and why. */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts';

/** Below this, compression saves too little, and most answers of the merchant API are smaller. */
const smallest_bytes = 1_024;

/** Text. Pictures, fonts and PDF are compressed already; an event stream must not wait for more. */
const text = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b|image\/svg\+xml)/;

/** Of a page of 40 KB, quality 8 takes one millisecond, and quality 11 takes fifty for 8 % less. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } };

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { ...brotli.params, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: promisify(gzip),
};

/** Compresses every text answer of more than 1 KB that the caller accepts compressed (D-255). */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!isCompressible(reply, payload)) return payload;
    addVary(reply);
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === null || mayBeMeasured(request)) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    weakenTag(reply);
    if (!(payload instanceof Readable)) return compressors[encoding](bytesOf(payload));
    const compressed = encoding === 'br' ? createBrotliCompress(brotli) : createGzip();
    // A failure destroys the compressed stream as well, and so the connection.
    return pipeline(payload, compressed, () => undefined);
  });
}

/** The cookies that say nothing about a person. */
const harmless = /^(?:__Host-)?lang=/;

/**
 * Whether another site may have made the browser send this request, with cookies that open what only its user may see.
 * The site's owner then knows a part of the answer, and an attacker on the network could learn the rest from its length
 * (D-257).
 */
function mayBeMeasured({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none' || headers.cookie === undefined) return false;
  return headers.cookie.split(';').some((cookie) => !harmless.test(cookie.trim()));
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  const isLong =
    payload instanceof Readable ||
    ((typeof payload === 'string' || Buffer.isBuffer(payload)) &&
      Buffer.byteLength(payload) > smallest_bytes);
  return (
    isLong && !reply.hasHeader('content-encoding') && text.test(String(reply.getHeader('content-type') ?? ''))
  );
}

const bytesOf = (payload: string | Buffer): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload;

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')?.toString();
  if (vary !== undefined && /\baccept-encoding\b|\*/i.test(vary)) return;
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

/** A strong tag names exact bytes, and these are others now (RFC 9110 section 8.8.1). */
function weakenTag(reply: FastifyReply): void {
  const etag = reply.getHeader('etag')?.toString();
  if (etag?.startsWith('"') === true) reply.header('etag', `W/${etag}`);
}
