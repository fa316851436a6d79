// Runs verify.js over test vectors: node check.js < notification-signatures.json
// Prints true or false for each vector.
import { readFileSync } from 'node:fs';
import { verify } from './verify.js';

const { vectors } = JSON.parse(readFileSync(0, 'utf8'));
const verdicts = vectors.map(({ event_id, timestamp, signature, body, secret, now }) => {
  const headers = {
    'x-service-event-id': event_id,
    'x-service-timestamp': timestamp,
    'x-service-signature': signature,
  };
  try {
    return verify(headers, Buffer.from(body), ['of an older order, long since done', secret], now) !== null;
  } catch {
    return false; // signed, but not JSON: Paydesk never sends this
  }
});
console.log(JSON.stringify(verdicts));
