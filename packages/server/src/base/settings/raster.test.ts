import { describe, expect, test } from 'vitest';
import { jpegOf, pngOf, webpOf } from '../../../test/support/browser/pictures.ts';
import { readRaster } from './raster.ts';

describe('R-382 a picture is what its bytes say', () => {
  test.each([
    ['PNG', pngOf(48, 32), 'image/png', 48, 32, false],
    ['an animated PNG', pngOf(48, 32, { animated: true }), 'image/png', 48, 32, true],
    ['JPEG', jpegOf(640, 480), 'image/jpeg', 640, 480, false],
    [
      'JPEG, with filling between its parts',
      jpegOf(640, 480, { filled: true }),
      'image/jpeg',
      640,
      480,
      false,
    ],
    ['WebP, lossy', webpOf('VP8 ', 200, 100), 'image/webp', 200, 100, false],
    ['WebP, lossless', webpOf('VP8L', 200, 100), 'image/webp', 200, 100, false],
    ['WebP, extended', webpOf('VP8X', 200, 100), 'image/webp', 200, 100, false],
    ['WebP, animated', webpOf('VP8X', 200, 100, { animated: true }), 'image/webp', 200, 100, true],
  ])('%s', (_name, bytes, content_type, width, height, animated) => {
    expect(readRaster(bytes)).toEqual({ content_type, width, height, animated });
  });

  test.each([
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><title>Not found</title>'],
    ['GIF', 'GIF89a\x01\x00\x01\x00'],
    ['WebP of a kind to come', 'RIFF\x20\x00\x00\x00WEBPVP9 \x00\x00\x00\x00'],
    ['WebP without its first frame', 'RIFF\x20\x00\x00\x00WEBPVP8 ' + '\x00'.repeat(30)],
    ['JPEG without a frame', '\xff\xd8\xff\xda\x00\x02'],
    ['JPEG that loses its thread', '\xff\xd8\xff\xe0\x00\x02oops'],
  ])('%s is not an image', (_name, text) => {
    expect(readRaster(Buffer.from(text, 'latin1'))).toBeNull();
  });

  test.each([
    ['PNG', pngOf(48, 32), 33],
    ['JPEG', jpegOf(640, 480), 20],
    ['WebP', webpOf('VP8L', 200, 100), 20],
  ])('%s that ends too soon is not an image, wherever it ends', (_name, bytes, least) => {
    for (let length = 0; length < least; length++) expect(readRaster(bytes.subarray(0, length))).toBeNull();
  });
});
