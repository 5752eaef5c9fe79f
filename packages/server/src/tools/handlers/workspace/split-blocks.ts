import { isJsonObject } from '@svc/catalog';
import { invalidField } from '../../../errors.js';
import type { Json } from '../json.js';

/** Maximum number of content blocks in one list of a request to the upstream. */
const MAX_SIBLINGS = 100;
/** Maximum number of content blocks in one request to the upstream, including nested blocks. */
const MAX_BLOCKS = 1000;
/** Maximum size of a request body in bytes. */
const MAX_BYTES = 500_000;
/** Maximum depth of nested content blocks in one request to the upstream. */
const MAX_LEVELS = 2;

interface Size {
  readonly siblings: number;
  readonly inAll: number;
  readonly bytes: number;
}

interface SplitOptions {
  /** Name of the tool input that contains the blocks, for error messages. */
  readonly field: string;
  /**
   * Other content of the first request, such as the properties of a new page. Its size counts against the size limit of
   * that request.
   */
  readonly body?: Json;
}

/**
 * Splits content blocks into batches, in order, one for each request. The first request also contains `body`. If `body`
 * leaves no space for a block, the first batch is empty.
 */
export function splitBlocks(
  blocks: readonly Json[],
  { field, body = {} }: SplitOptions,
): readonly (readonly Json[])[] {
  const batches: Json[][] = [[]];
  const empty = { siblings: 0, inAll: 0, bytes: bytesOf({ children: [] }) };
  let taken: Size = { ...empty, bytes: bytesOf({ ...body, children: [] }) };
  for (const [index, block] of blocks.entries()) {
    const size = { siblings: 1, inAll: countBlocks(block), bytes: bytesOf(block) + 1 };
    refuseTooLarge(sum(empty, size), `${field}[${index}]`);
    refuseNesting(block, `${field}[${index}]`, 1);
    if (!fits(sum(taken, size))) {
      batches.push([]);
      taken = empty;
    }
    batches.at(-1)?.push(block);
    taken = sum(taken, size);
  }
  return batches;
}

const fits = ({ siblings, inAll, bytes }: Size) =>
  siblings <= MAX_SIBLINGS && inAll <= MAX_BLOCKS && bytes <= MAX_BYTES;

const sum = (one: Size, other: Size): Size => ({
  siblings: one.siblings + other.siblings,
  inAll: one.inAll + other.inAll,
  bytes: one.bytes + other.bytes,
});

function refuseTooLarge({ inAll, bytes }: Size, field: string): void {
  if (bytes > MAX_BYTES) {
    const problem = `has ${bytes} bytes when sent, but one request can have ${MAX_BYTES}; split it`;
    throw invalidField(field, 'maxLength', problem);
  }
  if (inAll > MAX_BLOCKS) {
    const problem = `contains ${inAll} blocks, but one request can have ${MAX_BLOCKS}; append the inner blocks later`;
    throw invalidField(field, 'maxItems', problem);
  }
}

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

const LATER = 'omit the rest and append it later with workspace_blocks_append';

/**
 * Throws invalid_input for a content block with too many child blocks, or with too many levels of nesting. `level`:
 * depth at which the child blocks of `block` are nested.
 */
function refuseNesting(block: Json, field: string, level: number): void {
  for (const { children, path } of childListsOf(block)) {
    const list = `${field}.${path}`;
    if (children.length > MAX_SIBLINGS)
      throw invalidField(
        list,
        'maxItems',
        `has ${children.length} blocks, but only ${MAX_SIBLINGS} are allowed; ${LATER}`,
      );
    if (children.length > 0 && level > MAX_LEVELS)
      throw invalidField(list, 'nesting', `is nested deeper than ${MAX_LEVELS} levels; ${LATER}`);
    // Column blocks do not count as a level of nesting at the upstream.
    const next = block['column_list'] === undefined ? level + 1 : level;
    for (const [index, child] of children.entries()) refuseNesting(child, `${list}[${index}]`, next);
  }
}

/**
 * Finds the lists of child blocks in a content block. A block contains its children at its top level or inside its
 * content.
 */
function childListsOf(block: Json): { readonly children: readonly Json[]; readonly path: string }[] {
  const holders = [['', block] as const, ...Object.entries(block)];
  return holders.flatMap(([name, holder]) => {
    const children = isJsonObject(holder) ? holder['children'] : undefined;
    if (!Array.isArray(children)) return [];
    const path = name === '' ? 'children' : `${name}.children`;
    return [{ children: children.filter(isJsonObject), path }];
  });
}

/** Counts a content block including all of its nested blocks. */
function countBlocks(block: Json): number {
  const nested = childListsOf(block).flatMap(({ children }) => children);
  return nested.reduce((count, child) => count + countBlocks(child), 1);
}
