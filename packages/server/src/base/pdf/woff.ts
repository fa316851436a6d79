/** Unpacks a font of the web (WOFF 1) into the font that it holds: the same tables, each compressed with zlib. */
import { inflateSync } from 'node:zlib';

const woffHead = 44;
const woffEntry = 20;
const head = 12;
const entry = 16;

const padded = (length: number): number => (length + 3) & ~3;

export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new TypeError('this is no WOFF font');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const at = woffHead + i * woffEntry;
    const [offset, packed, length] = [4, 8, 12].map((member) => woff.readUInt32BE(at + member)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.subarray(at + 16, at + 20),
      content: packed < length ? inflateSync(bytes) : bytes,
    };
  });
  const size = tables.reduce((sum, { content }) => sum + padded(content.length), head + count * entry);
  const font = Buffer.alloc(size);
  woff.copy(font, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  font.writeUInt16BE(count, 4);
  font.writeUInt16BE(2 ** power * entry, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE((count - 2 ** power) * entry, 10);
  let offset = head + count * entry;
  for (const [i, { tag, checksum, content }] of tables.entries()) {
    const at = head + i * entry;
    tag.copy(font, at);
    checksum.copy(font, at + 4);
    font.writeUInt32BE(offset, at + 8);
    font.writeUInt32BE(content.length, at + 12);
    content.copy(font, offset);
    offset += padded(content.length);
  }
  return font;
}
