import { readFileSync } from 'node:fs';
import { RESERVED_TYPES } from '@svc/catalog';
import { expect, test } from 'vitest';

test('the catalogue reserves the name of each type that @svc/core exports', () => {
  const index = readFileSync(new URL('../../core/src/index.ts', import.meta.url), 'utf8');
  const exported = [...index.matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace('type ', '').trim())
    .filter((name) => /^[A-Z]/.test(name));
  expect(exported.length).toBeGreaterThan(50);
  expect(exported.filter((name) => !RESERVED_TYPES.includes(name))).toEqual([]);
});
