import { expect, test } from 'vitest';
import { checkColor, contrast, textColorOn } from './application-color.js';

test('the contrast of two colors follows WCAG 2.2', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#0f6b5c', '#0f6b5c')).toBe(1);
});

test('text on every color has a contrast of at least 4.5', () => {
  const steps = Array.from({ length: 18 }, (_, index) => (index * 15).toString(16).padStart(2, '0'));
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const color = `#${red}${green}${blue}`;
        expect(contrast(color, textColorOn(color))).toBeGreaterThanOrEqual(4.5);
      }
});

test('a color is stored in lower case', () => {
  expect(checkColor('#0F6B5C')).toBe('#0f6b5c');
});

test.each([
  '',
  'red',
  '#fff',
  '0f6b5c',
  '#0f6b5c80',
  '#0f6b5g',
  '#0f6b5c;}*{',
  ' #0f6b5c',
  '#0f6b5c\n',
  'url(x)',
])('the color "%s" is refused', (color) => {
  expect(() => checkColor(color)).toThrow(/^The color is invalid/);
});
