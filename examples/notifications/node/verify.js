import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the notification in a request, or null if Paydesk did not send it. `body`: the raw bytes, as a Buffer. */
export function verify(headers, body, secrets, now = Date.now() / 1000) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return null;
  const given = Buffer.from(headers['x-service-signature'] ?? '');
  const signed = secrets.some((secret) => {
    if (secret === '') return false; // anyone can sign with it
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
    const expected = Buffer.from(`sha256=${hmac.digest('hex')}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!signed) return null;
  const notification = JSON.parse(body.toString('utf8'));
  return notification.id === headers['x-service-event-id'] ? notification : null;
}
