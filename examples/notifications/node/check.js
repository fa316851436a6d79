// Runs verify.js over test vectors: node check.js < notification-signatures.json
// Prints one true or false for each.
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
    return false; // signed, and no JSON: Paydesk sends no such thing
  }
});
console.log(JSON.stringify(verdicts));
