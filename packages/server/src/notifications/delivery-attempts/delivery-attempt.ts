/** Makes one delivery attempt: resolves, checks, signs and posts. */
import { isIPv4 } from 'node:net';
import type { Clock } from '../../base/time/clock.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { traceHeaders } from '../../base/tracing/tracing.ts';
import { type DeliveryOutcome, failedBy, type HttpSender, type Posted } from '../transport/index.ts';
import { type NameResolver, vetHost } from '../addresses/index.ts';
import { sign, signStandard, unixSeconds } from './signature.ts';

/** Time limit of one attempt, from the name look-up to the response headers. */
export const deliveryTimeout_ms = 8_000;

export interface DeliveryAttemptDeps {
  clock: Clock;
  box: SecretBox;
  /** Opens the sender at its first use. */
  sender: () => Promise<HttpSender>;
  resolver: NameResolver;
  allow_cidrs: readonly string[];
  /** Time limit of an attempt instead of R-275's. */
  attempt_ms?: number;
}

/** Nothing was sent, and the receiver is not the cause: the attempt does not count and must be withdrawn. */
export class UnsentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnsentError';
  }
}

/**
 * Makes the attempt of a claim. Looks the host up once, checks all its addresses (R-250, D-133), connects to one of
 * them, and posts the stored bytes with a new timestamp and signature. All of it takes
 * 8 s at most.
 *
 * @throws UnsentError where the secret cannot be opened, or the lease would end before the attempt
 */
export async function makeDeliveryAttempt(
  {
    clock,
    box,
    sender: openSender,
    resolver,
    allow_cidrs,
    attempt_ms = deliveryTimeout_ms,
  }: DeliveryAttemptDeps,
  claim: ClaimedDelivery,
): Promise<{ outcome: DeliveryOutcome; released: Promise<void> }> {
  const started = performance.now();
  const secret = openSecret(box, claim);
  const url = new URL(claim.url);
  const host = await vetHost(url, { resolver, allow_cidrs, timeout_ms: attempt_ms });
  if (host.verdict !== 'public') return unreached(failedBy(errorOf[host.verdict]));

  const sender = await openSender();
  const timeout_ms = attempt_ms - (performance.now() - started);
  if (timeout_ms <= 0) return unreached(failedBy('timeout'));
  // A process that was suspended may be late: another worker takes this event when the lease ends.
  if (clock.real().getTime() + timeout_ms > claim.lease_until.getTime()) {
    throw new UnsentError('the lease ended before anything was sent');
  }
  const posted = post(sender, { claim, url, secret, timeout_ms, clock, addresses: host.addresses });
  return { outcome: await posted.outcome, released: posted.released };
}

/** The outcome for a host that is not connected to. */
export const errorOf = { private: 'private_target', unresolved: 'dns_failed', timeout: 'timeout' } as const;

/** The attempt ended without a connection. */
const unreached = (outcome: DeliveryOutcome): { outcome: DeliveryOutcome; released: Promise<void> } => ({
  outcome,
  released: Promise.resolve(),
});

function openSecret(box: SecretBox, claim: ClaimedDelivery): string {
  try {
    return box.open(claim.secret_box, sealed.notificationSecret.row(claim));
  } catch (error) {
    throw new UnsentError('the signing secret cannot be opened: is its key in PAYDESK_SECRET_KEY?', {
      cause: error,
    });
  }
}

interface PreparedPost {
  claim: ClaimedDelivery;
  url: URL;
  secret: string;
  timeout_ms: number;
  clock: Clock;
  addresses: string[];
}

function post(
  sender: HttpSender,
  { claim, url, secret, timeout_ms, clock, addresses }: PreparedPost,
): Posted {
  const body = Buffer.from(claim.body, 'utf8');
  // Real time, read last, because receivers reject signatures that are older than five minutes.
  const timestamp = unixSeconds(clock.real());
  return sender.post({
    url,
    address: addressFor(addresses, claim.attempt),
    headers: { ...signedHeaders({ event_id: claim.event_id, timestamp, body, secret }), ...traceHeaders() },
    body,
    timeout_ms,
  });
}

/** The headers of a notification: what it is, and its two signatures over the same bytes. */
export const signedHeaders = ({
  event_id,
  timestamp,
  body,
  secret,
}: {
  event_id: string;
  timestamp: string;
  body: Buffer;
  secret: string;
}): Record<string, string> => ({
  'content-type': 'application/json',
  'x-service-event-id': event_id,
  'x-service-timestamp': timestamp,
  'x-service-signature': sign(timestamp, body, secret),
  'webhook-id': event_id,
  'webhook-timestamp': timestamp,
  'webhook-signature': signStandard({ id: event_id, timestamp, body }, secret),
});

/** Another address at each attempt, IPv4 first, so that one dead address does not fail all attempts. */
export function addressFor(addresses: string[], attempt: number): string {
  const ordered = [...addresses.filter((address) => isIPv4(address)), ...addresses.filter((a) => !isIPv4(a))];
  const address = ordered[(attempt - 1) % ordered.length];
  if (address === undefined) throw new UnsentError('there is no address');
  return address;
}

/** An event with an attempt that is committed. Only this worker may send it until the lease ends (R-279, D-143). */
export interface ClaimedDelivery {
  merchant_id: string;
  event_id: string;
  order_no: string;
  body: string;
  url: string;
  destination: string;
  secret_box: Buffer;
  attempt: number;
  manual: boolean;
  /** Real time. */
  lease_until: Date;
  /** The span that caused the event, as the header `traceparent`; null where it had none. */
  traceparent: string | null;
}
