import { invalid } from './api-error.js';
import type { Call, Version } from './call.js';
import { boolean, type Shape } from './shape.js';
import type { Parent, Stamp, WorkspaceState } from './state.js';

export function trashShapes({ hasArchived }: Version): Record<string, Shape> {
  return hasArchived ? { archived: boolean, in_trash: boolean } : { in_trash: boolean };
}

export function requestedTrash({ body }: Pick<Call, 'body'>): boolean | undefined {
  const requested = body.in_trash ?? body.archived;
  return typeof requested === 'boolean' ? requested : undefined;
}

type Nested = Stamp & { readonly parent?: Parent; readonly databaseId?: string };

function parentOf(state: WorkspaceState, { parent, databaseId }: Nested): Nested | undefined {
  const id = databaseId ?? parent?.id ?? '';
  return state.blocks.get(id) ?? state.pages.get(id) ?? state.dataSources.get(id) ?? state.databases.get(id);
}

/** Rejects a change to an object that is in the trash, directly or because an ancestor is. */
export function assertEditable(state: WorkspaceState, record: Nested): void {
  if (record.inTrash)
    throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
  assertOutOfTrash(state, record);
}

/** Rejects a change to an object with an ancestor in the trash. */
export function assertOutOfTrash(state: WorkspaceState, record: Nested): void {
  for (let ancestor = parentOf(state, record); ancestor !== undefined; ancestor = parentOf(state, ancestor))
    if (ancestor.inTrash)
      throw invalid(
        "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing.",
      );
}
