import type { PaydeskClient } from '../client/client.ts';
import { PaydeskError } from '../paydesk-error.ts';
import type { CollectionOrder, Notification } from '../types.ts';

/**
 * Reads the order of a verified notification, whose own state can be older. Null for a test event of the console: its order
 * does not exist (D-218). Any other order that Paydesk does not know is an error, because the client may be another
 * merchant's (D-927).
 */
export async function readNotified(
  client: Pick<PaydeskClient, 'getOrder'>,
  { data }: Notification,
): Promise<CollectionOrder | null> {
  try {
    return await client.getOrder(data.order_no);
  } catch (error) {
    const isUnknown = error instanceof PaydeskError && error.code === 'payment_not_found';
    if (isUnknown && data.test_mode) return null;
    throw error;
  }
}
