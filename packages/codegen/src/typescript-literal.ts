import { quoted } from './source-text.js';

/** TypeScript inside a value. No JSON makes one, so that no text of a catalogue is printed as code. */
export class Expression {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Position of a printed literal. */
export interface Layout {
  /** Indentation of the first line of the text. Default: none. */
  readonly indent?: string;
  /** Characters on the line before and after it. Default: 0. */
  readonly taken?: number;
  /** Default: 100. */
  readonly width?: number;
}

/** JSON data as a TypeScript expression, laid out as a formatter would: on one line where it fits. */
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
  // Most do not fit, and are not put together to see that.
  const length = parts.reduce((sum, part) => sum + part.length + 2, 2 * space.length);
  if (indent.length + taken + length <= width && !isTable(value)) {
    const line = `${open}${space}${parts.join(', ')}${space}${close}`;
    if (!line.includes('\n')) return line;
  }
  return `${open}\n${parts.map((part) => `${inner.indent}${part},`).join('\n')}\n${indent}${close}`;
}

/** A list of several objects stands line by line even when it would fit. */
function isTable(value: object): boolean {
  const isRow = (item: unknown) => typeof item === 'object' && item !== null && Object.keys(item).length > 1;
  return Array.isArray(value) && value.length > 1 && value.every(isRow);
}

/** A name in an object literal or an interface, with quotes only if necessary. */
export function propertyName(name: string): string {
  // As a plain or quoted key it would set the prototype of an object literal.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}
