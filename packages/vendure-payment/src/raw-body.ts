/** Keeps the bytes of notifications, before Vendure's parser takes them: the signature covers the bytes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRawBody } from '@paydesk/sdk';

export interface WithRawBody {
  rawBody?: Uint8Array;
}

export function keepRawBody(
  request: IncomingMessage & WithRawBody & { body?: unknown; _body?: boolean },
  _response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  readRawBody(request).then((bytes) => {
    request.rawBody = bytes;
    // Tells the parsers that come after this that there is nothing left to read.
    request._body = true;
    next();
  }, next);
}
