/** Colours written as `#rrggbb`, and the shades that pages make of the platform's accent colour. */

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

/** Text and controls need this contrast with what is behind them (WCAG 2.2, level AA), whatever the accent is (D-216). */
export const leastContrast = 4.5;

/** The darkest light and the lightest dark ground that the accent stands on, in the checkout and in the consoles. */
const lightGround = '#f4f5f8';
const darkGround = '#1f2433';

const rgbOf = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** The relative luminance of WCAG, 0 to 1. */
function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours by WCAG: 1 (the same) to 21 (black and white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** `colour` with `share` of `other` in it, 0 to 1. */
function mix(colour: string, other: string, share: number): string {
  const [from, to] = [rgbOf(colour), rgbOf(other)];
  return hexOf(from.map((part, at) => part + ((to[at] ?? part) - part) * share) as unknown as Rgb);
}

/** Mixes more and more of `other` in, until the colour has the contrast. */
function mixedUntil(colour: string, other: string, enough: (mixed: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(colour, other, share);
    if (enough(mixed)) return mixed;
  }
  return other;
}

/** Whether white text on this colour, and text in this colour on a light page, can be read. */
export const isReadableAccent = (colour: string): boolean => contrast(colour, lightGround) >= leastContrast;

/** The colours of one scheme of the buyers' pages. */
export interface AccentScheme {
  accent: string;
  /** While it is pressed or pointed at. */
  deep: string;
  /** Text on the accent. */
  on: string;
  /** A pale ground under text in the accent. */
  tint: string;
}

/**
 * The shades of an accent for light and dark pages. Each text has a contrast of 4.5 : 1 if `isReadableAccent` holds.
 */
export function accentSchemes(accent: string): { light: AccentScheme; dark: AccentScheme } {
  const bright = mixedUntil(accent, '#ffffff', (mixed) => contrast(mixed, darkGround) >= 6.5);
  return {
    light: {
      accent,
      deep: mix(accent, '#000000', 0.2),
      on: '#ffffff',
      tint: mixedUntil(
        mix(accent, '#ffffff', 0.9),
        '#ffffff',
        (mixed) => contrast(accent, mixed) >= leastContrast,
      ),
    },
    dark: {
      accent: bright,
      deep: mix(bright, '#ffffff', 0.3),
      on: '#0b1020',
      tint: mix(darkGround, bright, 0.08),
    },
  };
}

/** Ten shades from light to dark for the consoles; the seventh is the accent itself. */
export function accentShades(accent: string): string[] {
  const onDark = mixedUntil(accent, '#ffffff', (mixed) => contrast(mixed, darkGround) >= leastContrast);
  const filled = mixedUntil(
    mix(accent, '#ffffff', 0.12),
    accent,
    (mixed) => contrast(mixed, '#ffffff') >= leastContrast,
  );
  return [
    ...[0.92, 0.84, 0.7, 0.5].map((share) => mix(accent, '#ffffff', share)),
    ...[onDark, filled, accent],
    ...[0.18, 0.36, 0.55].map((share) => mix(accent, '#000000', share)),
  ];
}
