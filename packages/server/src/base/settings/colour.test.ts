import { expect, test } from 'vitest';
import { accentSchemes, accentShades, contrast, isReadableAccent } from './colour.ts';

test('D-216 the contrast is the contrast of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  expect(contrast('#1f47c4', '#1f47c4')).toBe(1);
});

/** Colours all around the circle, light to dark. */
const colours = Array.from({ length: 512 }, (_, at) => {
  const part = (shift: number): string => (((at >> shift) & 7) * 36).toString(16).padStart(2, '0');
  return `#${part(0)}${part(3)}${part(6)}`;
});

test('D-216 every accent that is accepted can be read in both schemes, and as text on its tint', () => {
  const accepted = colours.filter(isReadableAccent);
  expect(accepted.length).toBeGreaterThan(100);
  expect(accepted.length).toBeLessThan(400);
  for (const colour of accepted) {
    const { light, dark } = accentSchemes(colour);
    for (const { accent, deep, on, tint } of [light, dark]) {
      for (const [text, ground] of [
        [on, accent],
        [on, deep],
        [accent, tint],
      ] as const) {
        expect(contrast(text, ground), `${colour}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    const shades = accentShades(colour);
    expect(shades).toHaveLength(10);
    expect(shades[6]).toBe(colour);
    expect(contrast(shades[5] ?? '', '#ffffff'), colour).toBeGreaterThanOrEqual(4.5);
    expect(contrast(shades[4] ?? '', '#1f2433'), colour).toBeGreaterThanOrEqual(4.5);
  }
});
