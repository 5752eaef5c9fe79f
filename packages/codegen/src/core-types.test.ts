import { readFileSync } from 'node:fs';
import { RESERVED_TYPES } from '@svc/catalog';
import { expect, test } from 'vitest';

test('the catalogue reserves the name of each type that @svc/core exports', () => {
  const readCore = (file: string) => readFileSync(new URL(`../../core/src/${file}`, import.meta.url), 'utf8');
  const listed = [...readCore('index.ts').matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace('type ', '').trim())
    .filter((name) => /^[A-Z]/.test(name));
  const declared = readCore('generated/event-types.ts').matchAll(/^export (?:interface|type) (\w+)/gm);
  const exported = [...listed, ...Array.from(declared, ([, name = '']) => name)];
  expect(exported.length).toBeGreaterThan(100);
  expect(exported.filter((name) => !RESERVED_TYPES.includes(name))).toEqual([]);
});
