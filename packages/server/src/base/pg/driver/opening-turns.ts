/** Lets a process open only a few connections at once. */
import type { Socket } from 'node:net';

/** A connection was not tried: it had no turn in time, was ended meanwhile, or its server was given up. */
export class NotTriedError extends Error {
  override name = 'NotTriedError';
}

/**
 * Waits for a place among the connections that are being opened.
 *
 * @param socket of the connection; if it is closed meanwhile, the wait ends with an error
 * @param most_ms maximum time to wait; undefined: no limit
 * @returns a function that gives the place to the next one
 * @throws NotTriedError
 */
export type EnterOpening = (socket: Socket, most_ms: number | undefined) => Promise<() => void>;

/**
 * Lets only a few connections of a process be opened at once; the others wait for their turn, in the order they came.
 *
 * A server that has just started needs long for each new connection. If every caller opened one at once, each would
 * take longer than its time limit: all would be given up half-open and opened again, and the server would never serve
 * one (D-505).
 *
 * @param places number of connections that are opened at once
 */
export function createOpening(places: number): EnterOpening {
  let free = places;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return async (socket, most_ms) => {
    if (free > 0) {
      free -= 1;
      return leave;
    }
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        socket.off('close', closed);
        waiting.delete(enter);
      };
      const enter = (): void => {
        end();
        resolve();
      };
      const giveUp = (why: string) => (): void => {
        end();
        reject(new NotTriedError(`Connection terminated: ${why}`));
      };
      const late = giveUp('it had no turn in time');
      const timer = most_ms === undefined ? undefined : setTimeout(late, most_ms);
      const closed = giveUp('it was ended before its turn');
      socket.once('close', closed);
      waiting.add(enter);
    });
    return leave;
  };
}
