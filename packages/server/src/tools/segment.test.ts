import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { segment } from './segment.js';

test.each([
  { title: 'keeps an id', value: '1f6b2c3d-4e5f', path: '1f6b2c3d-4e5f' },
  { title: 'encodes what would end the segment or the path', value: 'a/b?c#d', path: 'a%2Fb%3Fc%23d' },
  { title: 'encodes an escape once more', value: 'a%2Fb', path: 'a%252Fb' },
  { title: 'keeps dots inside a name', value: 'v1..2', path: 'v1..2' },
  { title: 'keeps three dots, which climb nowhere', value: '...', path: '...' },
  { title: 'encodes what lies outside of ASCII', value: 'é😀', path: '%C3%A9%F0%9F%98%80' },
])('$title', ({ value, path }) => {
  expect(segment(value)).toBe(path);
});

test.each([
  { title: 'refuses an empty segment', value: '' },
  { title: 'refuses "."', value: '.' },
  { title: 'refuses ".."', value: '..' },
  { title: 'refuses a lone surrogate', value: 'a\ud83d' },
])('$title', ({ value }) => {
  expect(() => segment(value)).toThrow(ServiceError);
  expect(() => segment(value)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
