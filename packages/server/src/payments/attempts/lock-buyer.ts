/** Reads the account of a buyer for a payment, or for PTK that go back. */
import type { Tx } from '../../base/pg/index.ts';
import { lockPerson, type Person, selectPerson } from '../../identity/people/index.ts';

/**
 * Locks the buyer's account: a person who is being erased begins no payment, though their session was read before (D-613), and
 * gets no PTK back (D-627). A distributed database would lock the account on every node for that, where payments at once then
 * block each other.
 */
export const selectBuyer = (tx: Tx, user_id: string): Promise<Person | null> =>
  tx.isDistributed === true ? selectPerson(tx, user_id) : lockPerson(tx, user_id);
