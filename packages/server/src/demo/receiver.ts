import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readRawBody, verifyNotification } from '@paydesk/sdk';

export interface DemoReceiver {
  url: string;
  close(): Promise<void>;
}

/** A merchant's receiver over HTTPS on loopback: verifies each notification as a merchant would, and prints it. */
export function startDemoReceiver(options: {
  port: number;
  certificate: { cert: string; key: string };
  secret: string;
  print: (line: string) => void;
}): Promise<DemoReceiver> {
  const { certificate, secret, print } = options;
  const server = createServer(certificate, (request, response) => {
    void (async () => {
      const raw_body = await readRawBody(request);
      const result = verifyNotification({ headers: request.headers, raw_body, secrets: secret });
      if (!result.ok) {
        print(`receiver: refused a notification (${result.reason})`);
        response.writeHead(400).end();
        return;
      }
      response.writeHead(204).end();
      const { data, id } = result.notification;
      print(
        `receiver: verified ${id}: ${data.order_no} (${data.external_reference}) is ${data.status}, ` +
          `${data.amount} ${data.currency}, version ${data.status_version}` +
          (data.event_id === undefined ? '' : `, event ${data.event_id}`),
      );
    })().catch(() => {
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `https://127.0.0.1:${port}/paydesk-notifications`,
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
