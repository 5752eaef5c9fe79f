import { expect, test } from 'vitest';
import { segment } from './segment.js';

test.each([
  { title: 'leaves an id unchanged', value: '1f6b2c3d-4e5f', path: '1f6b2c3d-4e5f' },
  { title: 'encodes characters that would end the path', value: 'a?b#c', path: 'a%3Fb%23c' },
  { title: 'encodes a percent sign again', value: 'a%2Fb', path: 'a%252Fb' },
  { title: 'leaves dots inside a name unchanged', value: 'v1..2', path: 'v1..2' },
  {
    title: 'leaves three dots unchanged, because they do not mean the parent folder',
    value: '...',
    path: '...',
  },
  { title: 'encodes characters outside ASCII', value: 'é😀', path: '%C3%A9%F0%9F%98%80' },
])('$title', ({ value, path }) => {
  expect(segment(value, 'id')).toBe(path);
});

test.each([
  { title: 'refuses an empty segment', value: '' },
  { title: 'refuses "."', value: '.' },
  { title: 'refuses ".."', value: '..' },
  { title: 'refuses a slash', value: 'a/b' },
  { title: 'refuses a backslash', value: 'a\\b' },
  { title: 'refuses a control character', value: 'a\nb' },
  { title: 'refuses a lone surrogate', value: 'a\ud83d' },
])('$title, and names the input', ({ value }) => {
  expect(() => segment(value, 'event_id')).toThrow(
    expect.objectContaining({
      name: 'InvalidInputError',
      errors: [expect.objectContaining({ field: 'event_id', rule: 'segment' })],
    }),
  );
});
