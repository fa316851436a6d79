import { adminCall, type Channel } from '../../api/admin.ts';
import { part } from '../../api/call.ts';

/** Changes some members of a channel. */
export const saveChannel = (payment_no: string, body: Record<string, unknown>): Promise<Channel> =>
  adminCall<Channel>('PATCH', `/channels/${part(payment_no)}`, { body });
