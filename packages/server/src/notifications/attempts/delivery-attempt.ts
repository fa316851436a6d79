import { isIPv4 } from 'node:net';
import type { Clock } from '../../base/time/clock.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { type AttemptOutcome, failedBy, type HttpSender, type Posted } from '../transport/index.ts';
import { type NameResolver, vetHost } from '../addresses/index.ts';
import { sign, unixSeconds } from './signature.ts';

/** One attempt waits so long in all, from the look-up of the name to the response headers. */
export const attemptTimeout_ms = 8_000;

export interface AttemptDeps {
  clock: Clock;
  box: SecretBox;
  sender: HttpSender;
  resolver: NameResolver;
  allow_cidrs: readonly string[];
}

/** Nothing was sent, and not for a reason that the receiver could mend: the attempt is to be withdrawn. */
export class UnsentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnsentError';
  }
}

/**
 * Makes a claimed attempt: looks the host up once, judges all its addresses, connects to one of them, and posts the
 * stored bytes with a fresh timestamp and signature.
 *
 * @throws UnsentError where the secret cannot be opened, or the lease would not outlast the attempt
 */
export async function makeAttempt(
  { clock, box, sender, resolver, allow_cidrs }: AttemptDeps,
  claim: Claim,
): Promise<{ outcome: AttemptOutcome; released: Promise<void> }> {
  const started = performance.now();
  const secret = openSecret(box, claim.secret_box);
  const url = new URL(claim.url);
  const host = await vetHost(url, { resolver, allow_cidrs, timeout_ms: attemptTimeout_ms });
  if (host.verdict !== 'public') return unreached(failedBy(errorOf[host.verdict]));

  const timeout_ms = attemptTimeout_ms - (performance.now() - started);
  if (timeout_ms <= 0) return unreached(failedBy('timeout'));
  // A process that slept may be late: somebody else has this event by now, or will before this attempt is over.
  if (clock.real().getTime() + timeout_ms > claim.lease_until.getTime()) {
    throw new UnsentError('the lease ran out before anything was sent');
  }
  const posted = post(sender, { claim, url, secret, timeout_ms, clock, addresses: host.addresses });
  return { outcome: await posted.outcome, released: posted.released };
}

const errorOf = { private: 'private_target', unresolved: 'dns_failed', timeout: 'timeout' } as const;

const unreached = (outcome: AttemptOutcome): { outcome: AttemptOutcome; released: Promise<void> } => ({
  outcome,
  released: Promise.resolve(),
});

function openSecret(box: SecretBox, secret_box: Buffer): string {
  try {
    return box.open(secret_box);
  } catch (error) {
    throw new UnsentError('the signing secret cannot be opened: is its key in PAYDESK_SECRET_KEY?', {
      cause: error,
    });
  }
}

interface Delivery {
  claim: Claim;
  url: URL;
  secret: string;
  timeout_ms: number;
  clock: Clock;
  addresses: string[];
}

function post(sender: HttpSender, { claim, url, secret, timeout_ms, clock, addresses }: Delivery): Posted {
  const body = Buffer.from(claim.body, 'utf8');
  // Real time, read last: receivers reject what was signed more than five minutes ago.
  const timestamp = unixSeconds(clock.real());
  return sender.post({
    url,
    address: addressFor(addresses, claim.attempt),
    headers: {
      'content-type': 'application/json',
      'x-service-event-id': claim.event_id,
      'x-service-timestamp': timestamp,
      'x-service-signature': sign(timestamp, body, secret),
    },
    body,
    timeout_ms,
  });
}

/** Another address at each attempt, IPv4 first: one dead address of several does not fail them all. */
function addressFor(addresses: string[], attempt: number): string {
  const ordered = [...addresses.filter((address) => isIPv4(address)), ...addresses.filter((a) => !isIPv4(a))];
  const address = ordered[(attempt - 1) % ordered.length];
  if (address === undefined) throw new UnsentError('there is no address');
  return address;
}

/** One attempt that this worker has begun and committed, and nobody else will make before its lease runs out. */
export interface Claim {
  merchant_id: string;
  event_id: string;
  body: string;
  url: string;
  destination: string;
  secret_box: Buffer;
  attempt: number;
  manual: boolean;
  /** Real time. */
  lease_until: Date;
}
