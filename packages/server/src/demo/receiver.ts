import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readRawBody, verifyNotification } from '@paydesk/sdk';
import type { Certificate } from './certificate.ts';
import { deliveryNotes, refusalNote } from './delivery-notes.ts';

export interface LocalReceiver {
  url: string;
  close(): Promise<void>;
}

export interface LocalReceiverOptions {
  port: number;
  /** Other paths are answered with 404. */
  path: string;
  certificate: Certificate;
  /** Every secret that orders may have been created with. */
  secrets: readonly string[];
  /** What a verified notification is answered with. */
  status: number;
  print: (line: string) => void;
}

/** A merchant's receiver over HTTPS on loopback: verifies each notification as a merchant would, and prints it. */
export function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port, path, certificate, print } = options;
  const noted = deliveryNotes();
  const server = createServer(certificate, (request, response) => {
    receive(options, noted, request, response).catch((error: unknown) => {
      print(`broken off: ${error instanceof Error ? error.message : String(error)}`);
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
  { path, secrets, status, print }: LocalReceiverOptions,
  noted: ReturnType<typeof deliveryNotes>,
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
  response.writeHead(result.ok ? status : 400).end();
  print(result.ok ? noted(result.notification, status) : refusalNote(result, request.headers));
}
