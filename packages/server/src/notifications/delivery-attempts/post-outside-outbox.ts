/** One POST outside of the outbox, such as a test event or an export. It is as safe as a notification. */
import { type NameResolver, systemResolver, vetHost } from '../addresses/index.ts';
import { createHttpSender, type DeliveryOutcome, failedBy } from '../transport/index.ts';
import { addressFor, deliveryTimeout_ms, errorOf } from './delivery-attempt.ts';

export interface PostDeps {
  allow_cidrs: readonly string[];
  ca: string | null;
  resolver?: NameResolver;
}

export interface OnePost {
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
  /** Chooses the address, if the name has several; from 1. */
  attempt?: number;
  timeout_ms?: number;
}

/** Looks the host up once, checks all its addresses, and posts to one of them (R-250, R-251, D-133). */
export async function postOutsideOutbox(
  { allow_cidrs, ca, resolver = systemResolver() }: PostDeps,
  { url, headers, body, attempt = 1, timeout_ms = deliveryTimeout_ms }: OnePost,
): Promise<DeliveryOutcome> {
  const started = performance.now();
  const host = await vetHost(url, { resolver, allow_cidrs, timeout_ms });
  if (host.verdict !== 'public') return failedBy(errorOf[host.verdict]);
  const sender = await createHttpSender({ ca, connections: 1, connect_ms: timeout_ms });
  try {
    const left_ms = timeout_ms - (performance.now() - started);
    if (left_ms <= 0) return failedBy('timeout');
    const address = addressFor(host.addresses, attempt);
    const { outcome, released } = sender.post({ url, address, headers, body, timeout_ms: left_ms });
    const known = await outcome;
    await released;
    return known;
  } finally {
    await sender.close();
  }
}
