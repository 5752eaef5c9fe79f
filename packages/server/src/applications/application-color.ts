import { ServiceError } from '../errors.js';

const COLOR = /^#[0-9a-f]{6}$/;
const WHITE = '#ffffff';
const BLACK = '#000000';

// Part of a color in linear light (WCAG 2.2, relative luminance).
function linear(part: string): number {
  const value = Number.parseInt(part, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => linear(color.slice(start, start + 2)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2). Text needs 4.5. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Returns the color of text on a background: white or black, whichever has more contrast. The contrast is at least 4.58
 * for every background.
 */
export const textColorOn = (background: string): string =>
  contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK;

/** True for a color in the form in which it is stored. Only such a color is safe in a style sheet. */
export const isColor = (text: string): boolean => COLOR.test(text);

/** Returns the color in lower case. Throws invalid_request unless it has the form `#0f6b5c`. */
export function checkColor(color: string): string {
  const lower = color.toLowerCase();
  if (COLOR.test(lower)) return lower;
  throw new ServiceError(
    'invalid_request',
    'The color is invalid. Send # and six hexadecimal digits, such as #0f6b5c.',
  );
}
