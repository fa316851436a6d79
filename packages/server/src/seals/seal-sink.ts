/** The place outside the database that keeps the heads of the platform's chain: a file, or an address. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/**
 * Keeps lines outside the database. What was appended is read back in the same order. A line may be there more than once,
 * because a process may die between sending it and noting that.
 */
export interface SealSink {
  /** Identifies the sink without its password. */
  readonly name: string;
  append(lines: readonly string[]): Promise<void>;
  /** Whether old lines may be moved away: then the heads begin with any seal. */
  readonly rotates?: boolean;
  /** All lines so far. Throws if they cannot be read; a file that does not exist has none. */
  read(): AsyncIterable<string>;
}

const append_timeout_ms = 10_000;
/** How long a sink that is read may send nothing. */
const silence_ms = 60_000;
const lineFeed = 0x0a;

/**
 * Opens the sink of PAYDESK_SEAL_SINK.
 *
 * @param url `file:///…`, to which lines are appended, or an address that accepts lines by POST and returns all by GET
 * @param most_silence_ms only tests set it
 */
export function openSink(url: string, most_silence_ms = silence_ms): SealSink {
  return url.startsWith('file:')
    ? fileSink(fileURLToPath(url), url)
    : httpSink(new URL(url), most_silence_ms);
}

/** The lines of a stream, which ends also if its reader leaves before the end. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } finally {
    input.destroy();
  }
}

function fileSink(path: string, name: string): SealSink {
  return {
    name,
    async append(lines) {
      const file = await open(path, 'a+', 0o600);
      try {
        // A process that died while it wrote may have left half a line; the text is sent again, on a new line.
        const { size } = await file.stat();
        const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
        const isTorn = bytesRead === 1 && buffer[0] !== lineFeed;
        await file.appendFile((isTorn ? '\n' : '') + lines.map((line) => `${line}\n`).join(''));
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async *read() {
      try {
        yield* linesOf(createReadStream(path, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}

function httpSink(given: URL, most_silence_ms: number): SealSink {
  const { username, password } = given;
  const url = new URL(given);
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const authorization = username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` };
  const call = async (init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const answer = await fetch(url, {
      ...init,
      headers: { ...authorization, 'content-type': 'application/x-ndjson' },
      redirect: 'error',
      signal,
    });
    if (!answer.ok) throw new Error(`the sink of seals answers ${answer.status}`);
    return answer;
  };
  return {
    name: `${url.origin}${url.pathname}`,
    async append(lines) {
      const body = lines.map((line) => `${line}\n`).join('');
      await (await call({ method: 'POST', body }, AbortSignal.timeout(append_timeout_ms))).arrayBuffer();
    },
    async *read() {
      const ends = new AbortController();
      const wait = () =>
        setTimeout(() => {
          ends.abort(new Error(`the sink of seals sent nothing for ${most_silence_ms} ms`));
        }, most_silence_ms);
      let waiting = wait();
      try {
        const { body } = await call({ method: 'GET' }, ends.signal);
        if (body === null) return;
        // The time in which the reader works does not count.
        const parts = async function* (): AsyncGenerator<Uint8Array> {
          for await (const part of body) {
            clearTimeout(waiting);
            yield part;
            waiting = wait();
          }
        };
        yield* linesOf(Readable.from(parts(), { objectMode: false }));
      } finally {
        clearTimeout(waiting);
        ends.abort();
      }
    },
  };
}
