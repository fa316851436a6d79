import { expect, test } from 'vitest';
import { probe, type Probed } from './lossy-pooler.ts';

/** A session of the server, with the names of the statements that it knows. */
interface Session {
  pid: number;
  names: Set<string>;
}

/** A pooler with some sessions, which it gives to connections for a transaction, the last one that became free first. */
function poolerOf(mode: 'session' | 'keeps' | 'loses', sessions: number) {
  const free: Session[] = Array.from({ length: sessions }, (_, i) => ({ pid: i + 1, names: new Set() }));
  return (): Probed => {
    let own: Session | undefined;
    const sent = new Set<string>();
    const query = async (asked: string | { name: string }): Promise<unknown> => {
      await Promise.resolve();
      const at = own ?? free.pop();
      if (at === undefined) throw new Error('Query read timeout');
      own = at;
      const release = (): void => {
        if (mode === 'session') return;
        own = undefined;
        free.push(at);
      };
      if (typeof asked === 'string') {
        if (asked !== 'BEGIN' && (asked === 'ROLLBACK' || !isOpen)) release();
        isOpen = asked === 'BEGIN' || (isOpen && asked !== 'ROLLBACK');
        return { rows: [{ pid: at.pid }] };
      }
      release();
      // The driver prepares a statement once for a connection.
      const prepares = !sent.has(asked.name);
      sent.add(asked.name);
      if (mode === 'loses' && at.names.has(asked.name) === prepares) {
        throw Object.assign(new Error('prepared statement'), { code: prepares ? '42P05' : '26000' });
      }
      at.names.add(asked.name);
      return { rows: [{ pid: at.pid }] };
    };
    let isOpen = false;
    return { query } as unknown as Probed;
  };
}

test.each([2, 5])(
  'D-682 a pooler of %i sessions that loses prepared statements is shown',
  async (sessions) => {
    const connect = poolerOf('loses', sessions);
    await expect(probe(connect(), connect())).rejects.toMatchObject({ code: '26000' });
    // What an earlier probe has left in the sessions does not answer in its place.
    await expect(probe(connect(), connect())).rejects.toMatchObject({ code: '26000' });
  },
);

test.each([
  ['session', 2],
  ['keeps', 2],
  ['keeps', 1],
  ['loses', 1],
] as const)('D-682 a pooler in which nothing shows is taken: %s, %i sessions', async (mode, sessions) => {
  const connect = poolerOf(mode, sessions);
  await probe(connect(), connect());
});
