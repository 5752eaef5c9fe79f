import type { Direction } from './plan-shapes.js';
import { asType, type TypeTree } from './type-tree.js';

/** New values of an upstream's enum are no error, so in outputs any other string passes too. */
export function enumType(values: readonly unknown[], direction: Direction): string {
  const isOpen = direction === 'output' && values.some((value) => typeof value === 'string');
  const literals = values.map((value) => JSON.stringify(value));
  return `(${[...literals, ...(isOpen ? ['(string & {})'] : [])].join(' | ')})`;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Whether values of a type of JSON Schema have no parts. */
export const isScalar = (type: string): boolean => Object.hasOwn(SCALARS, type);

/** The type of values that have no parts. */
export function scalarType(types: readonly string[]): TypeTree {
  const names = new Set(types.map((type) => SCALARS[type]));
  const text = [...names].join(' | ');
  return asType(names.size === 1 ? text : `(${text})`);
}
