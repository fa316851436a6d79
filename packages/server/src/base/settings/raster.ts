/** The format and the size of an image, read from its bytes. A declared type or file name is not trusted. */
export interface Raster {
  content_type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  animated: boolean;
}

/**
 * Recognises PNG, JPEG and WebP and reads their size in pixels, without decoding them. Every other format gives null:
 * GIF, and SVG, which can contain scripts.
 */
export function readRaster(bytes: Buffer): Raster | null {
  try {
    return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  } catch (error) {
    // The image is truncated.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const tag = (bytes: Buffer, at: number, length = 4): string => bytes.toString('latin1', at, at + length);

function readPng(bytes: Buffer): Raster | null {
  if (tag(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || tag(bytes, 12) !== 'IHDR') return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  let animated = false;
  // Chunks: length, name, content, checksum. The chunk `acTL` of an animation comes before the first image.
  for (let at = 8; tag(bytes, at + 4) !== 'IDAT'; at += 12 + bytes.readUInt32BE(at)) {
    animated ||= tag(bytes, at + 4) === 'acTL';
  }
  return { content_type: 'image/png', width, height, animated };
}

function readWebp(bytes: Buffer): Raster | null {
  if (tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WEBP') return null;
  const content_type = 'image/webp';
  switch (tag(bytes, 12)) {
    case 'VP8 ':
      if (tag(bytes, 23, 3) !== '\x9d\x01\x2a') return null;
      return {
        content_type,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        animated: false,
      };
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return {
        content_type,
        width: (bits & 0x3fff) + 1,
        height: ((bits >>> 14) & 0x3fff) + 1,
        animated: false,
      };
    }
    case 'VP8X':
      return {
        content_type,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        animated: (bytes.readUInt8(20) & 0x02) !== 0,
      };
    default:
      return null;
  }
}

/** Whether a marker begins a frame header: C0 to CF, except three that have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(bytes: Buffer): Raster | null {
  if (tag(bytes, 0, 3) !== '\xff\xd8\xff') return null;
  let at = 2;
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      // Any number of these fill bytes may precede a marker.
      at += 1;
      continue;
    }
    if (isFrame(marker)) {
      return {
        content_type: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
        animated: false,
      };
    }
    // The pixels or the end of the image without a frame header before.
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}
