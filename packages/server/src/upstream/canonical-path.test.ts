import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../test/support/runner/rounds.js';
import { ServiceError } from '../errors.js';
import { canonicalPath, canonicalQuery, isPlainPath } from './canonical-path.js';
import { createBuildTarget } from './target.js';

interface Corpus {
  readonly refused: Readonly<Record<string, readonly string[]>>;
  readonly kept: readonly string[];
  readonly encoded: readonly { readonly path: string; readonly canonical: string }[];
}

const corpus: Corpus = JSON.parse(
  readFileSync(new URL('canonical-path.corpus.json', import.meta.url), 'utf8'),
);
const RUNS = rounds(1_000_000);
// Timeout of the test in milliseconds: a million runs take minutes.
const LONG = 1_800_000;
const buildTarget = createBuildTarget();
const BASE = 'https://api.upstream.example/base';

test('P4: the corpus has at least 200 cases', () => {
  const refused = Object.values(corpus.refused).flat();
  expect(refused.length + corpus.kept.length + corpus.encoded.length).toBeGreaterThanOrEqual(200);
});

describe.each(Object.entries(corpus.refused))('P1: the path is refused: %s', (_, paths) => {
  test.each(paths.map((path) => ({ path })))('$path', ({ path }) => {
    expect(() => canonicalPath(path)).toThrow(ServiceError);
    expect(() => buildTarget(BASE, { path })).toThrow(ServiceError);
  });
});

test.each(corpus.kept.map((path) => ({ path })))(
  'P2, P3: the path $path is kept byte for byte',
  ({ path }) => {
    expect(buildTarget(BASE, { path })).toEqual({
      origin: 'https://api.upstream.example',
      path: `/base${path}`,
    });
  },
);

test.each(corpus.encoded)('P2: the path $path is encoded once', ({ path, canonical }) => {
  expect(canonicalPath(path)).toBe(canonical);
  expect(canonicalPath(canonical)).toBe(canonical);
});

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '/',
      '.',
      '..',
      '%',
      '%2e',
      '%2E',
      '%25',
      '%252e',
      '%2f',
      '%5c',
      '\\',
      ';',
      '%3b',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '#',
      '?',
      '@',
      ':',
      '%00',
      '%0a',
      '\n',
      '\t',
      ' ',
      '%c0%ae',
      '．',
      '／',
      '%32',
      '%65',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 4, unit: 'binary' }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 4 }) },
);
const anyPath = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);

const accepts = (path: string): boolean => {
  try {
    canonicalPath(path);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return false;
    throw error;
  }
};

// Reads a path like a lenient upstream: decodes it `rounds` times, and accepts backslashes and path parameters.
function readByServer(path: string, rounds: number): string[] {
  let decoded = path;
  for (let round = 0; round < rounds; round += 1) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return decoded.split(/[/\\]/).map((segment) => segment.replace(/;.*$/s, ''));
}

test(
  'P4: every accepted path reaches the configured origin under the base path',
  () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        if (!accepts(path)) return;
        const { origin, path: sent } = buildTarget(BASE, { path });
        const parsed = new URL(`${origin}${sent}`);
        expect(parsed.origin).toBe('https://api.upstream.example');
        expect(parsed.pathname).toBe(sent);
        expect(sent.startsWith('/base/')).toBe(true);
        expect(sent).toMatch(/^[\x21-\x7e]+$/);
        for (const rounds of [0, 1, 2, 3]) {
          expect(readByServer(sent, rounds).some((segment) => segment === '.' || segment === '..')).toBe(
            false,
          );
        }
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

test(
  'P2: canonicalization is idempotent',
  () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        if (accepts(path)) expect(canonicalPath(canonicalPath(path))).toBe(canonicalPath(path));
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

test(
  'P3: any name without a separator is accepted as an encoded segment',
  () => {
    const name = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are left out of the names
      .filter((value) => !/[/\\%\u0000-\u001f\u007f]/.test(value) && !/^\.{1,2}(;|$)/.test(value));
    fc.assert(
      fc.property(name, (value) => {
        const path = `/files/${encodeURIComponent(value)}/content`;
        expect(canonicalPath(path)).toBe(path);
        expect(decodeURIComponent(canonicalPath(path))).toBe(`/files/${value}/content`);
      }),
      { numRuns: RUNS },
    );
  },
  LONG,
);

test.each([
  { title: 'URLs', query: 'url=https://upstream.example/../x//y?a=b' },
  { title: 'encoded slashes and dots', query: 'path=..%2F..%2Fetc&x=%2e%2e' },
  { title: 'brackets, templates and quotes', query: `filter[a]={b}&c='d'"<e>|\\^` },
  { title: 'escapes that are not UTF-8', query: 'raw=%ff%zz%' },
])('P3: $title in a query are preserved', ({ query }) => {
  expect(canonicalQuery(query)).toBe(query);
});

test('P2: spaces and non-ASCII characters in a query are encoded once', () => {
  expect(canonicalQuery('q=café noir&r=%C3%A9')).toBe('q=caf%C3%A9%20noir&r=%C3%A9');
});

test.each(['a=1#b', 'a=\u0000', 'a=\r\nHost: x', 'a=\u007f', 'a=\ud800'])(
  'P1: the query %j is refused',
  (query) => {
    expect(() => canonicalQuery(query)).toThrow(ServiceError);
  },
);

test('P2: path and query are appended to the base URL of a connection', () => {
  expect(buildTarget('http://127.0.0.1:4401/calendar', { path: '/v3/x', query: 'a=b c' })).toEqual({
    origin: 'http://127.0.0.1:4401',
    path: '/calendar/v3/x?a=b%20c',
  });
});

const plainPiece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/',
      '.',
      '..',
      'v1',
      ':',
      '@',
      '~',
      '-',
      '+',
      ',',
      '=',
      '_',
      '//',
      'C:',
      '...',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(';', '%2e', '\\', '!', '?', '#', ' ') },
);

test('P1, P2: a plain path has one interpretation', () => {
  const path = fc.array(plainPiece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  fc.assert(
    fc.property(path, fc.constantFrom('', '/base', '/a/b.c'), (plain, base) => {
      if (!isPlainPath(plain)) return;
      const { href } = new URL(`https://api.upstream.example${base}${plain}`);
      expect(href).toBe(`https://api.upstream.example${base}${plain}`);
      expect(plain).not.toMatch(/[%\\?#;]|\/\/|\/\.{1,2}(?:\/|$)/);
    }),
    { numRuns: rounds(100_000) },
  );
});

test.each(Object.values(corpus.refused).flat())('P1: a refused path is not plain: %j', (path) => {
  expect(isPlainPath(path)).toBe(false);
});
