/** The HTTP client of the load generator. */
import { connect, type Socket } from 'node:net';
import type { Answer } from './requests.ts';

/** The timeout of one answer. */
const timeout_ms = 30_000;

/** A keep-alive connection that sends one request at a time. */
export interface Connection {
  /** Sends a request. Without an answer, `status` is 0 and `text` is the reason. */
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

/**
 * Opens a connection of the load generator. It connects again after the server closed it. pgbench, which
 * loads most references, is a C program. A general HTTP client would use more of the shared machine and make
 * the service look slower. So this client does only what the load generator needs; it requires a
 * `content-length` in every answer.
 */
export function openConnection({ hostname, port }: URL): Connection {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let answered: ((answer: Answer) => void) | undefined;

  const end = (answer: Answer): void => {
    received = Buffer.alloc(0);
    const tell = answered;
    answered = undefined;
    tell?.(answer);
  };
  const fail = (reason: string): void => {
    socket?.destroy();
    socket = undefined;
    end({ status: 0, text: reason });
  };
  const open = (): Socket => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    opened.setTimeout(timeout_ms, () => {
      if (socket === opened) fail('no answer in time');
    });
    opened.on('error', (error) => {
      if (socket === opened) fail(error.message);
    });
    opened.on('close', () => {
      if (socket === opened) fail('the connection was closed');
    });
    opened.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = answerIn(received);
      if (answer instanceof Error) fail(answer.message);
      else if (answer !== null) end(answer);
    });
    return opened;
  };

  return {
    send: (request) =>
      new Promise((resolve) => {
        answered = resolve;
        socket ??= open();
        socket.write(request);
      }),
    close() {
      fail('closed');
    },
  };
}

const endOfHead = Buffer.from('\r\n\r\n');

/** The received answer; null if it is not complete. */
export function answerIn(received: Buffer): Answer | Error | null {
  const head_length = received.indexOf(endOfHead);
  if (head_length === -1) return null;
  const head = received.toString('latin1', 0, head_length);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (Number.isNaN(status)) return new Error(`not an answer: ${head.slice(0, 80)}`);
  const length = bodyLength(head, status);
  if (length === null) return new Error(`an answer without content-length: ${head.slice(0, 80)}`);
  const begin = head_length + endOfHead.length;
  return received.length < begin + length
    ? null
    : { status, text: received.toString('utf8', begin, begin + length) };
}

function bodyLength(head: string, status: number): number | null {
  if (status === 204 || status === 304) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? null : Number(length);
}
