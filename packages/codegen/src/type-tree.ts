import { docComment, LINE_WIDTH } from './source-text.js';
import { propertyName } from './typescript-literal.js';

/** TypeScript type as a tree. A type with a name is declared separately and referred to by its name. */
export type TypeTree = (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly TypeTree[] }
  | { readonly kind: 'list'; readonly item: TypeTree }
  | { readonly kind: 'object'; readonly fields: readonly Field[]; readonly others?: TypeTree | undefined }
) & { readonly name?: string | undefined; readonly comment?: string | undefined };

/** Property of an object type. The field `others` of the object type is the type of all unnamed properties. */
export interface Field {
  readonly name: string;
  readonly type: TypeTree;
  readonly isRequired: boolean;
  /** True if the field's type accepts `undefined`, which then means that the field is absent. */
  readonly takesUndefined?: boolean;
}

/** Creates a type from TypeScript source, such as `string`. */
export const textType = (text: string): TypeTree => ({ kind: 'text', text });

/** Creates a union of types. */
export const unionOf = (members: readonly TypeTree[]): TypeTree => ({ kind: 'union', members });

export const UNKNOWN = textType('unknown');
export const NULL = textType('null');
export const UNDEFINED = textType('undefined');

/** Returns the exported declarations of a named TypeScript type and of the named members inside it. */
export function printDeclarations(type: TypeTree): string {
  const [own = '', ...members] = namedTypes(type).map(declaration);
  return [own, members.join('\n')].filter((text) => text !== '').join('\n\n');
}

function namedTypes(type: TypeTree): readonly TypeTree[] {
  const inside = 'members' in type ? type.members.flatMap(namedTypes) : [];
  return type.name === undefined ? inside : [type, ...inside];
}

function declaration({ name, ...type }: TypeTree): string {
  const text =
    type.kind === 'object'
      ? `export interface ${name} ${printObject(type, '')}`
      : statement(`export type ${name} =`, type, '');
  return commentLines(type, '') + text;
}

/**
 * Prints a TypeScript type after the start of its line. A union that exceeds the line width gets one line for each
 * member.
 */
function statement(start: string, type: TypeTree, indent: string): string {
  const line = `${indent}${start} ${printType(type, indent, true)};`;
  const members = type.kind === 'union' ? printMembers(type.members, indent) : [];
  if (line.length <= LINE_WIDTH || line.includes('\n') || members.length < 2) return line;
  return `${indent}${start}${members.map((member) => `\n${indent}  | ${member}`).join('')};`;
}

/** Prints a TypeScript type. `isWhole`: nothing stands next to the type, so it needs no parentheses. */
function printType(type: TypeTree, indent: string, isWhole = false): string {
  if (type.name !== undefined) return type.name;
  if (type.kind === 'text') return type.text;
  if (type.kind === 'object') return printObject(type, indent);
  if (type.kind === 'list') return `${printType(type.item, indent)}[]`;
  const members = printMembers(type.members, indent);
  const [only] = type.members;
  if (only !== undefined && members.length === 1) return printType(only, indent, isWhole);
  const text = members.join(type.kind === 'union' ? ' | ' : ' & ');
  return isWhole ? text : `(${text})`;
}

/** Prints the members of a union or intersection type. Members with equal text are printed once. */
function printMembers(members: readonly TypeTree[], indent: string): readonly string[] {
  return [...new Set(members.map((member) => printType(member, indent)))];
}

type ObjectType = Extract<TypeTree, { readonly kind: 'object' }>;

function printObject({ fields, others }: ObjectType, indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, type, isRequired, takesUndefined = false }) => {
    const start = `${propertyName(name)}${isRequired ? '' : '?'}:`;
    const written = takesUndefined && !isUnknown(type) ? unionOf([...flattenUnion(type), UNDEFINED]) : type;
    return commentLines(type, inner) + statement(start, written, inner);
  });
  if (others !== undefined)
    lines.push(commentLines(others, inner) + statement('[key: string]:', indexType(others, fields), inner));
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/**
 * Returns the type of an object's index signature. It must cover the types of all named properties, because TypeScript
 * requires that (TS2411).
 */
function indexType(others: TypeTree, fields: readonly Field[]): TypeTree {
  if (fields.length === 0) return others;
  const absent = fields.every(({ isRequired }) => isRequired) ? [] : [UNDEFINED];
  const members = [others, ...fields.map(({ type }) => type), ...absent].flatMap(flattenUnion);
  return members.some(isUnknown) ? UNKNOWN : unionOf(members);
}

const isUnknown = (type: TypeTree): boolean => type.kind === 'text' && type.text === 'unknown';

function flattenUnion(type: TypeTree): readonly TypeTree[] {
  return type.kind === 'union' ? type.members.flatMap(flattenUnion) : [type];
}

/**
 * Returns the doc comment of a declaration or property. A list also gets the comment of its items, because they have no
 * line of their own.
 */
function commentLines(type: TypeTree, indent: string): string {
  const item = type.kind === 'list' && type.item.kind !== 'list' ? type.item.comment : undefined;
  const items = item === undefined || /(?:^|\s)@\w/.test(item) ? [] : [`Items: ${item}`];
  const text = [type.comment ?? [], items].flat().join('\n\n');
  return text === '' ? '' : `${docComment(text, indent)}\n`;
}
