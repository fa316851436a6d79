/** Reads a file of any size line by line, in batches. */
import type { ImportLine } from '../collection/importing/index.ts';

/** Maximum length of a line in bytes. No order is longer; a file of another kind may have no line ends at all. */
const maxLength = 65_536;

const lineFeed = 0x0a;

/**
 * Reads the lines of a file, with their numbers from 1; leaves out blank lines. For a line that is too long, it gives
 * only the number.
 *
 * Invariant: memory holds at most one chunk and one line of the file.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImportLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length <= maxLength) parts.push(piece);
    else parts = [];
  };
  const line = (): ImportLine | null => {
    const bytes = length > maxLength ? null : Buffer.concat(parts);
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

/** Groups items into batches of at most `size`. */
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
