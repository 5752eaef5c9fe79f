import type { JsonSchema } from '@svc/catalog';
import { bumpOf, type Change, change, highestLevel } from './change.js';
import { compareSchemas } from './compare-schemas.js';
import type { Definitions } from './effect.js';
import { isSameJson } from './json-hash.js';
import type { ReleasedEntry } from './release-file.js';

/** Contract of a released tool version (input, output, paging), with the shared schemas to which it refers. */
export interface Contract extends Pick<ReleasedEntry, 'input' | 'output' | 'paging'> {
  readonly types: Definitions;
}

/** Adds the shared schemas to which a schema refers as its definitions. */
export const withTypes = (schema: JsonSchema | boolean, types: Definitions): JsonSchema | boolean =>
  typeof schema === 'boolean' ? schema : { ...schema, $defs: types };

/** Compares the input, output and paging of two tool versions, and reports differences that callers notice. */
export function compareContracts(before: Contract, after: Contract): readonly Change[] {
  return [
    ...compareSchemas(withTypes(before.input, before.types), withTypes(after.input, after.types), 'input'),
    ...compareSchemas(withTypes(before.output, before.types), withTypes(after.output, after.types), 'output'),
    ...comparePaging(before, after),
  ];
}

/**
 * Returns the part of a tool's paging that callers use. The rest is internal: how the service calculates the next page.
 */
const seenOf = ({ paging }: Contract) =>
  paging?.input === undefined ? undefined : [paging.input, paging.output, paging.items, paging.also];

function comparePaging(before: Contract, after: Contract): readonly Change[] {
  if (isSameJson(before.paging, after.paging)) return [];
  const [was, is] = [seenOf(before), seenOf(after)];
  if (isSameJson(was, is))
    return [change('internal', 'paging', 'the service calculates the next page in another way')];
  if (was === undefined) return [change('additive', 'paging', 'the result now comes in pages')];
  return [
    change(
      'breaking',
      'paging',
      is === undefined ? 'the result no longer comes in pages' : 'the fields for paging changed',
    ),
  ];
}

const PLACES = { major: 0, minor: 1, patch: 2 } as const;

/**
 * Checks whether the number of a new schema version fits the size of its changes. Returns the problem, or undefined if
 * the number fits.
 */
export function numberProblem(from: string, to: string, changes: readonly Change[]): string | undefined {
  const level = highestLevel(changes);
  if (level === undefined) return `the contract equals that of ${from}; use that schema_version`;
  const parts = (version: string) => version.split('.').map(Number);
  const raised = parts(to).findIndex((part, index) => part !== parts(from)[index]);
  const needed = bumpOf(level);
  if (raised <= PLACES[needed]) return undefined;
  return `the change from ${from} is ${level}; raise the ${needed} number of schema_version`;
}
