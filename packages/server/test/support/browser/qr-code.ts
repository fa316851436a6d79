import { createRequire } from 'node:module';
import type { BrowserContext } from 'playwright-core';

/** A decoder that shares no code with the encoder. */
const decode = createRequire(import.meta.url)('jsqr') as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null;

/** The text of a QR code, read from a picture of it; null if there is none. */
export async function readCode(context: BrowserContext, png: Buffer): Promise<string | null> {
  // Pictures are the browser's trade: a page without a policy unpacks it.
  const page = await context.newPage();
  const { base64, width, height } = await page.evaluate(async (encoded) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const drawing = canvas.getContext('2d');
    drawing?.drawImage(picture, 0, 0);
    const pixels = drawing?.getImageData(0, 0, picture.width, picture.height).data ?? [];
    const binary = Array.from(pixels, (value) => String.fromCharCode(value)).join('');
    return { base64: btoa(binary), width: picture.width, height: picture.height };
  }, png.toString('base64'));
  await page.close();
  return decode(new Uint8ClampedArray(Buffer.from(base64, 'base64')), width, height)?.data ?? null;
}
