import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A whole PNG in one colour, which any browser shows. */
export function pngOf(width: number, height: number, { animated = false } = {}): Buffer {
  // Eight bits for each of red, green and blue.
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, 0x4a)]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(animated ? [chunk('acTL', Buffer.concat([uint32(1), uint32(0)]))] : []),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The beginning of a JPEG, up to and with the header of its frame. */
export function jpegOf(width: number, height: number, { filled = false } = {}): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3]);
  const filling = filled ? [0xff, 0xff] : [];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, ...filling]),
    // A table of the same family of markers that is no frame.
    Buffer.from([0xff, 0xc4, 0, 3, 0]),
    frame,
    Buffer.alloc(9),
  ]);
}

/** The beginning of a WebP of one of its three kinds. */
export function webpOf(
  kind: 'VP8 ' | 'VP8L' | 'VP8X',
  width: number,
  height: number,
  { animated = false } = {},
): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write(`RIFF\x20\0\0\0WEBP${kind}`, 'latin1');
  if (kind === 'VP8 ') {
    bytes.set([0x9d, 0x01, 0x2a], 23);
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes[20] = animated ? 0x02 : 0;
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
