import { segment } from '@svc/catalog';
import type { Send } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';
import { type Json, listIn, objectIn } from '../json.js';
import { splitBlocks } from './split-blocks.js';
import { versionHeader } from './version.js';

export interface Target {
  readonly blockId: string;
  readonly version?: string | undefined;
  /**
   * Creates the error for a failed request that appends blocks. `appended`: number of blocks that earlier requests
   * appended.
   */
  readonly stopped: (error: unknown, appended: number) => unknown;
}

/** Appends blocks of content to a page, one request for each batch. Returns the list of all new blocks. */
export async function appendBatches(
  batches: readonly (readonly Json[])[],
  send: Send,
  target: Target,
): Promise<Json> {
  const { blockId, version, stopped } = target;
  const path = `/v1/blocks/${segment(blockId, 'block_id')}/children`;
  const lists: Json[] = [];
  let appended = 0;
  for (const children of batches) {
    const body = { children };
    try {
      lists.push(
        objectIn(await send({ method: 'PATCH', path, ...versionHeader(version), body }), 'a list of blocks'),
      );
    } catch (error) {
      throw stopped(error, appended);
    }
    appended += children.length;
  }
  return { ...lists.at(-1), results: lists.flatMap((list) => listIn(list, 'results')) };
}

/** Appends content blocks to an existing page or block of the upstream. */
export function appendBlocks(blocks: readonly Json[], send: Send, blockId: string): Promise<Json> {
  const total = blocks.length;
  const stopped = (error: unknown, appended: number) =>
    appended === 0
      ? error
      : partialFailure(error, goOn(`${appended} of ${total} blocks were appended`, blockId), {
          appended,
          total,
        });
  return appendBatches(splitBlocks(blocks, { field: 'blocks' }), send, { blockId, stopped });
}

/** Builds an error message that tells the caller how to continue after a partial failure. */
export const goOn = (done: string, blockId: string) =>
  `${done}. The next request failed, or its response was not usable, so it is unknown whether the blocks of this request were appended. Do not repeat the whole call. List the children of "${blockId}" with workspace_block_children_list. Append only the missing blocks with workspace_blocks_append.`;
