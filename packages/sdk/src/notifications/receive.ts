/** What the verifiers for web frameworks share: options, and the answer to a notification. */
import type { Notification } from '../types.ts';
import { type HeaderSource, verifyNotification, type VerifyFailure } from '../verify-notification.ts';

export interface NotificationOptions {
  /** The signing secret, or all secrets in use: orders keep the key that they were created with. */
  secrets: string | readonly string[];
  /**
   * Stores the notification durably, within 8 seconds, and does the work afterwards. It must be harmless when repeated.
   * After an error the service sends the notification again later.
   */
  handle: (notification: Notification) => void | Promise<void>;
  /** Told of a request that is no notification, for a log. `detail` contains nothing of the request. */
  onRefusal?: (refusal: { reason: VerifyFailure; detail: string }) => void;
  now?: () => Date;
  /** Maximum difference between the timestamp and the current time, in seconds. Default 300. */
  tolerance_s?: number;
}

/** The answer: 204 after `handle`, or 400 for what is no notification. */
export type Answer = { status: 204 } | { status: 400; body: { error: VerifyFailure } };

/** Verifies a request and hands over its notification. Rejects with what `handle` throws. */
export async function receive(
  options: NotificationOptions,
  headers: HeaderSource,
  raw_body: Uint8Array | string,
): Promise<Answer> {
  const { secrets, now, tolerance_s } = options;
  const result = verifyNotification({
    headers,
    raw_body,
    secrets,
    ...(now === undefined ? {} : { now: now() }),
    ...(tolerance_s === undefined ? {} : { tolerance_s }),
  });
  if (!result.ok) {
    const { reason, detail } = result;
    options.onRefusal?.({ reason, detail });
    return { status: 400, body: { error: reason } };
  }
  await options.handle(result.notification);
  return { status: 204 };
}

/** The error for a body that was parsed before: its bytes are gone, and the signature is over the bytes. */
export const bodyIsParsed = (remedy: string): Error =>
  new Error(`The raw body of the notification is gone, because it was parsed before. ${remedy}`);

/** The bytes of a value that a body parser may have left; undefined if it is something else. */
export const bytesOf = (value: unknown): Uint8Array | string | undefined =>
  value instanceof Uint8Array || typeof value === 'string' ? value : undefined;
