/** Checks the bytes of a logo that pages show from our own origin. */
import { createHash } from 'node:crypto';
import { readRaster } from './raster.ts';

/** The largest logo that is stored. */
export const maxLogoBytes = 128 * 1024;
/** Maximum pixels of a side. Without it, a small file could fill the memory of a phone. */
const max_side = 2_048;

export type CheckedLogo =
  | { kind: 'picture'; logo: { content: Buffer; content_type: string; content_hash: string } }
  | { kind: 'refused'; problem: 'not_a_picture' | 'animated' | 'too_large' };

/** The content decides, not a name or a declared type: a still PNG, JPEG or WebP within the limits of size. */
export function logoOf(content: Buffer): CheckedLogo {
  const raster = readRaster(content);
  if (raster === null) return { kind: 'refused', problem: 'not_a_picture' };
  const { width, height, content_type, animated } = raster;
  if (animated) return { kind: 'refused', problem: 'animated' };
  const isTooLarge = Math.min(width, height) < 1 || Math.max(width, height) > max_side;
  if (isTooLarge || content.length > maxLogoBytes) return { kind: 'refused', problem: 'too_large' };
  const content_hash = createHash('sha256').update(content).digest('hex');
  return { kind: 'picture', logo: { content, content_type, content_hash } };
}
