/** A document that is made and compressed once, and then sent as stored bytes. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { loadOnce } from '../../base/load-once.ts';
import { acceptedEncoding } from '../encoding/accepted-encoding.ts';

/** One form of a document: plain, or compressed for transport. */
export interface Form {
  /** The value of `Content-Encoding`; null for the plain form. */
  encoding: 'br' | 'gzip' | null;
  bytes: Buffer;
  /** Names exactly these bytes, so each form has another one. */
  etag: string;
}

export interface MadeDocument {
  /** The best form for an `Accept-Encoding` header. */
  formFor(accepted: string | string[] | undefined): Promise<Form>;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Brotli at its highest quality takes a second for a document of 500 KB; this one takes a tenth, for 8 % more bytes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** @param make makes the text; called when the document is first asked for, so that a start does not wait */
export function madeDocument(make: () => string | Promise<string>): MadeDocument {
  async function makeForms(): Promise<Record<'br' | 'gzip' | 'plain', Form>> {
    const plain = Buffer.from(await make());
    const [br, gz] = await Promise.all([compressBrotli(plain, brotliOptions), compressGzip(plain)]);
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
    return {
      br: { encoding: 'br', bytes: br, etag: `"${hash}-br"` },
      gzip: { encoding: 'gzip', bytes: gz, etag: `"${hash}-gz"` },
      plain: { encoding: null, bytes: plain, etag: `"${hash}"` },
    };
  }

  const forms = loadOnce(makeForms);
  return {
    async formFor(accepted) {
      return (await forms())[acceptedEncoding(accepted) ?? 'plain'];
    },
  };
}

/** Whether an `If-None-Match` header names this form. A weak tag of the same text counts too (RFC 9110). */
export function isKnown(if_none_match: string | undefined, { etag }: Form): boolean {
  if (if_none_match === undefined) return false;
  const tags = if_none_match.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
