// A receiver for status notifications: it verifies a notification, stores it durably, then answers 2xx.
//
//   NOTIFY_SECRETS="current older" node examples/receiver.js
//
// It listens on plain HTTP on loopback. Paydesk posts to public HTTPS addresses only, so put a TLS proxy in front.
import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { isPaid, readRawBody, verifyNotification } from '@paydesk/sdk';

const secrets = (process.env.NOTIFY_SECRETS ?? '').split(/\s+/).filter((secret) => secret !== '');
const inbox = process.env.INBOX ?? 'notifications.jsonl';
const port = Number(process.env.PORT ?? 8080);

if (secrets.length === 0) {
  console.error(
    'Set NOTIFY_SECRETS to the signing secret (several, separated by spaces, during a rotation).',
  );
  process.exit(2);
}

/** Writes one line per notification. Repetitions have the same `id`; recognise them when you process the lines. */
async function store(notification) {
  await appendFile(inbox, `${JSON.stringify(notification)}\n`, { flush: true });
}

async function receive(request, response) {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const raw_body = await readRawBody(request);
  const result = verifyNotification({ headers: request.headers, raw_body, secrets });
  if (!result.ok) {
    console.warn(`refused: ${result.reason} (${result.detail})`);
    response.writeHead(400).end();
    return;
  }
  await store(result.notification);
  response.writeHead(204).end();
  const { data } = result.notification;
  const payment = isPaid(data) ? `, post ${data.amount} ${data.currency} once for ${data.event_id}` : '';
  console.log(`${data.external_reference} is ${data.status} (version ${data.status_version})${payment}`);
}

createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
}).listen(port, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${port}, storing in ${inbox}`);
});
