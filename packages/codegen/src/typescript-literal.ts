import { quoted } from './source-text.js';

/**
 * TypeScript source inside a literal value. Values from JSON are never `Expression` objects, so texts of a catalogue
 * cannot become code.
 */
export class Expression {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Indentation, position and maximum width of a printed TypeScript literal. */
export interface Layout {
  /** Indentation of the line on which the literal begins. Default: none. */
  readonly indent?: string;
  /** Number of characters on the line before and after the literal. Default: 0. */
  readonly taken?: number;
  /** Maximum line width in characters. Default: 100. */
  readonly width?: number;
}

/** Prints JSON data as a TypeScript expression in the layout of the repository's formatter: on one line if it fits. */
export function typescriptLiteral(value: unknown, layout: Layout = {}): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (value instanceof Expression) return value.source;
  const { indent = '', taken = 0, width = 100 } = layout;
  const inner = { indent: `${indent}  `, width };
  const print = (prefix: string, member: unknown) =>
    prefix + typescriptLiteral(member, { ...inner, taken: prefix.length + 1 });
  const parts = Array.isArray(value)
    ? value.map((item) => print('', item))
    : Object.entries(value).map(([key, member]) => print(`${propertyName(key)}: `, member));
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  if (parts.length === 0) return open + close;
  // Calculates the length of the line before joining its parts, because most literals do not fit on one line.
  const length = parts.reduce((sum, part) => sum + part.length + 2, 2 * space.length);
  if (indent.length + taken + length <= width && !isTable(value)) {
    const line = `${open}${space}${parts.join(', ')}${space}${close}`;
    if (!line.includes('\n')) return line;
  }
  return `${open}\n${parts.map((part) => `${inner.indent}${part},`).join('\n')}\n${indent}${close}`;
}

/** Checks for a list of several objects, which gets one line for each object even if it would fit on one line. */
function isTable(value: object): boolean {
  const isRow = (item: unknown) => typeof item === 'object' && item !== null && Object.keys(item).length > 1;
  return Array.isArray(value) && value.length > 1 && value.every(isRow);
}

/** Returns a property name for an object literal or an interface, quoted only if necessary. */
export function propertyName(name: string): string {
  // Uses a computed key, because a plain or quoted `__proto__` in an object literal sets the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}
