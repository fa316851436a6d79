/** The receiver of notifications that the demo and `paydesk listen` run. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readRawBody, verifyNotification } from '@paydesk/sdk';
import type { Certificate } from './certificate.ts';
import { createDeliveryNotes, refusalNote } from './delivery-notes.ts';

export interface LocalReceiver {
  url: string;
  close(): Promise<void>;
}

export interface LocalReceiverOptions {
  port: number;
  /** The path that accepts notifications; others get 404. */
  path: string;
  certificate: Certificate;
  /** All secrets that orders may have been created with. */
  secrets: readonly string[];
  /** The status code of the answer to a verified notification. */
  status: number;
  /** Where verified notifications are forwarded, whose status is then the answer; null: they are not forwarded. */
  forward_to?: string | null;
  print: (line: string) => void;
}

/** Starts a receiver over HTTPS on loopback. It verifies each notification as a merchant would, and prints it. */
export function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port, path, certificate, print } = options;
  const describe = createDeliveryNotes();
  const server = createServer(certificate, (request, response) => {
    receive(options, describe, request, response).catch((error: unknown) => {
      print(`request failed: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as AddressInfo;
      resolve({
        url: `https://127.0.0.1:${address.port}${path}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed();
            });
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function receive(
  { path, secrets, status: own_status, forward_to, print }: LocalReceiverOptions,
  describe: ReturnType<typeof createDeliveryNotes>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = request.url?.split('?', 1)[0] ?? '';
  if (request.method !== 'POST' || asked !== path) {
    response.writeHead(404).end();
    print(`refused: ${request.method ?? '?'} ${asked}; notifications are posted to ${path}`);
    return;
  }
  const raw_body = await readRawBody(request);
  const result = verifyNotification({ headers: request.headers, raw_body, secrets });
  const forwards = result.ok && forward_to !== undefined && forward_to !== null;
  const status = forwards ? await forward(forward_to, request, raw_body, print) : own_status;
  response.writeHead(result.ok ? status : 400).end();
  print(result.ok ? describe(result.notification, status) : refusalNote(result, request.headers));
}

/**
 * Posts the same bytes with the same signatures to a receiver under development. Gives its status, or 502 if it does not
 * answer in time, so that the notification comes again.
 */
async function forward(
  address: string,
  { headers }: IncomingMessage,
  body: Buffer,
  print: (line: string) => void,
): Promise<number> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^(content-type|x-service-|webhook-)/.test(entry[0]),
  );
  try {
    const signal = AbortSignal.timeout(8_000);
    const sent = { method: 'POST', headers: Object.fromEntries(kept), body: new Uint8Array(body) };
    const answer = await fetch(address, { ...sent, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    print(`${address} does not answer: ${error instanceof Error ? error.message : String(error)}`);
    return 502;
  }
}
