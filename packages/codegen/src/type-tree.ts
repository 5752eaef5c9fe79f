import type { AST, TInterfaceParam } from 'json-schema-to-typescript/dist/src/types/AST.js';

/**
 * A type as json-schema-to-typescript prints it. It is given its own tree and no schema: what is left here of a schema is
 * understood already, and its reading of one takes ten times as long as its printing.
 */
export type TypeTree = AST;

/** A type with the text of its doc comment. */
export const told = (type: TypeTree, comment: string | undefined): TypeTree =>
  comment === undefined ? type : { ...type, comment: comment.replaceAll('*/', '* /') };

/** A type that is declared under a name, and referred to by it. */
export const named = (type: TypeTree, standaloneName: string | undefined): TypeTree =>
  standaloneName === undefined ? type : { ...type, standaloneName };

/** Finished TypeScript. */
export const asType = (params: string): TypeTree => ({ type: 'CUSTOM_TYPE', params });

/** A value of any of these types. */
export const unionOf = (params: TypeTree[]): TypeTree => ({ type: 'UNION', params });

/** A value of all of these types. */
export const allOf = (params: TypeTree[]): TypeTree => ({ type: 'INTERSECTION', params });

/** A list of such items. */
export const listOf = (params: TypeTree): TypeTree => ({ type: 'ARRAY', params });

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly type: TypeTree;
  readonly isRequired: boolean;
}

/** An object with these fields, and fields of other names where `others` gives their type. */
export const objectOf = (fields: readonly Field[], others?: TypeTree | undefined): TypeTree => ({
  type: 'INTERFACE',
  params: [
    ...fields.map(({ name, type, isRequired }) => member(name, type, { isRequired })),
    ...(others === undefined
      ? []
      : [member('[k: string]', others, { isRequired: true, isIndexSignature: true })]),
  ],
  superTypes: [],
});

const member = (keyName: string, ast: TypeTree, rest: Partial<TInterfaceParam>): TInterfaceParam => ({
  ast,
  keyName,
  isRequired: false,
  isIndexSignature: false,
  isPatternProperty: false,
  isUnreachableDefinition: false,
  ...rest,
});
