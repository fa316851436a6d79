import type { DriverClient } from './client.ts';

/**
 * Sends one statement as a transaction, with the time limits of the connection. Behind a pooler these are set in the
 * same transaction; BEGIN, the statement and COMMIT are sent together. The same applies to writes to distributed tables,
 * whose limits must reach other servers.
 *
 * @param send sends the statement before it waits for anything
 * @throws the error of the statement, or else the error of its COMMIT
 */
export async function sendLimited<T>(
  client: DriverClient,
  send: () => Promise<T>,
  writes = false,
): Promise<T> {
  if (!client.isPooled && !(client.isDistributed && writes)) return send();
  const begun = client.begin();
  const sent = send();
  const committed = client.query('COMMIT');
  const [, outcome, end] = await Promise.allSettled([begun, sent, committed]);
  if (outcome.status === 'rejected') throw outcome.reason;
  if (end.status === 'rejected') throw end.reason;
  return outcome.value;
}
