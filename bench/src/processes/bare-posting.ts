/**
 * Bare signing and posting: a delivery without database, queue, address check and record. Signs and posts one
 * body again and again over keep-alive connections, and prints the rate per second.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [seconds = '', at_once = '', ca_file = '', body = '', ...urls] = process.argv.slice(2);
const connect = { ca: readFileSync(ca_file) };
const targets = urls.map((text) => {
  const url = new URL(text);
  return { path: url.pathname, pool: new Pool(url.origin, { connections: Number(at_once), connect }) };
});
const secret = 's'.repeat(40);
const bytes = Buffer.from(body);
let posted = 0;
let over = false;

async function post(i: number): Promise<void> {
  const target = targets[i % targets.length];
  if (target === undefined) return;
  while (!over) {
    const timestamp = Math.floor(Date.now() / 1_000).toString();
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex');
    const answer = await target.pool.request({
      method: 'POST',
      path: target.path,
      headers: {
        'content-type': 'application/json',
        'x-service-event-id': 'ne_bare',
        'x-service-timestamp': timestamp,
        'x-service-signature': `sha256=${digest}`,
      },
      body: bytes,
    });
    await answer.body.dump();
    posted++;
  }
}

const work = Array.from({ length: Number(at_once) }, (_, i) => post(i));
// The first second opens the connections and warms up.
await new Promise((resolve) => setTimeout(resolve, 1_000));
const [before, began] = [posted, performance.now()];
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
const rate = ((posted - before) / (performance.now() - began)) * 1_000;
over = true;
await Promise.all(work);
await Promise.all(targets.map(({ pool }) => pool.close()));
console.log(JSON.stringify({ rate }));
