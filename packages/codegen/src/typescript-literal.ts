import { quoted } from './source-text.js';

/** Stands in a value for an expression that is printed as it is. */
export interface Expression {
  readonly expression: string;
}

/** Position of a printed literal. */
export interface Layout {
  /** Indentation of its first line. Default: none. */
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
  if (isExpression(value)) return value.expression;
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

/** A name as it stands in an object literal or an interface: quoted only where it has to be. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name);
}

function isExpression(value: object): value is Expression {
  return 'expression' in value && typeof value.expression === 'string' && Object.keys(value).length === 1;
}
