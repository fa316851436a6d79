import type { CardDispute } from '../../channels/card/index.ts';
import type { SeenDispute } from './settle-dispute.ts';
import { selectOpenDisputes } from './dispute.sql.ts';

/**
 * A dispute beside others about its payment that are open, for which the order's funds stay frozen after its end (D-870): those
 * of the provider's list, and those that were seen before the order was locked (D-900), also if they were lost in another
 * currency (D-902). The list can be older than a dispute, or lack it.
 */
export const besideOthers = (dispute: CardDispute, listed: readonly CardDispute[]): SeenDispute => ({
  ...dispute,
  async also_open(tx, order) {
    const open = listed.filter(({ status }) => status === 'open').map(({ id }) => id);
    return [...open, ...(await selectOpenDisputes(tx, order))].filter((id) => id !== dispute.id);
  },
});
