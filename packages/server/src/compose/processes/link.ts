/**
 * Questions and answers between the first process and one that it started. What is sent in one turn of the loop is one
 * message: a process under load asks for thousands of limits a second.
 */

/** The channel of `node:child_process`, seen from one end. */
export interface Wire {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Answers of one end by the names of the questions. */
export type Answers = Readonly<Record<string, (question: never) => unknown>>;

export interface Link {
  /** Rejects if no answer comes in time. */
  ask<T>(name: string, question: unknown, limit_ms: number): Promise<T>;
  /** Sends a message that needs no answer. */
  tell(name: string, question?: unknown): void;
}

/** A question has a name, an answer has none. An id of 0 needs no answer. */
interface Item {
  id: number;
  name?: string;
  value?: unknown;
  failed?: string;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  late: NodeJS.Timeout;
}

/** The channel may carry messages of others, so ours have a name. */
const mark = 'paydesk';

export function createLink(wire: Wire, answers: Answers): Link {
  const waiting = new Map<number, Waiting>();
  let last_id = 0;
  let outgoing: Item[] = [];
  const push = (item: Item): void => {
    if (outgoing.push(item) > 1) return;
    setImmediate(() => {
      const items = outgoing;
      outgoing = [];
      wire.send({ [mark]: items });
    });
  };
  const answer = async ({ id, name = '', value }: Item): Promise<void> => {
    try {
      const find = answers[name];
      if (find === undefined) throw new Error(`there is no answer to "${name}"`);
      const found = await find(value as never);
      if (id !== 0) push({ id, value: found });
    } catch (error) {
      if (id !== 0) push({ id, failed: String(error) });
    }
  };
  const receive = (item: Item): void => {
    if (item.name !== undefined) {
      void answer(item);
      return;
    }
    const asked = waiting.get(item.id);
    if (asked === undefined) return;
    waiting.delete(item.id);
    clearTimeout(asked.late);
    if (item.failed === undefined) asked.resolve(item.value as never);
    else asked.reject(new Error(item.failed));
  };
  wire.onMessage((message) => {
    const items = (message as Record<string, Item[] | undefined> | null)?.[mark];
    if (Array.isArray(items)) items.forEach(receive);
  });
  return {
    ask: (name, question, limit_ms) =>
      new Promise((resolve, reject) => {
        const id = ++last_id;
        const late = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`no answer to "${name}" within ${limit_ms} ms`));
        }, limit_ms);
        waiting.set(id, { resolve, reject, late });
        push({ id, name, value: question });
      }),
    tell(name, question) {
      push({ id: 0, name, value: question });
    },
  };
}
