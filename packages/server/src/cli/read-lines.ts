import type { ImportLine } from '../collection/importing/index.ts';

/** No order is longer; a file that is none of ours may have no line end at all. */
const longest = 65_536;

const lineFeed = 0x0a;

/**
 * The lines of a file with their numbers, from one on, empty ones left out. Holds no more of the file than one chunk
 * and one line; of a line that is too long only its number is told.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImportLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length <= longest) parts.push(piece);
    else parts = [];
  };
  const line = (): ImportLine | null => {
    const bytes = length > longest ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    const read = { number: number++, bytes };
    return bytes !== null && isBlank(bytes) ? null : read;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, to));
      const read = line();
      if (read !== null) yield read;
      from = to + 1;
    }
    take(chunk.subarray(from));
  }
  if (length > 0) {
    const read = line();
    if (read !== null) yield read;
  }
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/** The same in batches of at most `size`. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
