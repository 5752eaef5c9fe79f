import { invalid } from './api-error.js';
import type { Call, Version } from './call.js';
import { boolean, type Shape } from './shape.js';
import type { Parent, Stamp, WorkspaceState } from './state.js';

export function trashShapes({ hasArchived }: Version): Record<string, Shape> {
  return hasArchived ? { archived: boolean, in_trash: boolean } : { in_trash: boolean };
}

export function askedTrash({ body }: Pick<Call, 'body'>): boolean | undefined {
  const asked = body.in_trash ?? body.archived;
  return typeof asked === 'boolean' ? asked : undefined;
}

type Placed = Stamp & { readonly parent?: Parent; readonly databaseId?: string };

function holderOf(state: WorkspaceState, { parent, databaseId }: Placed): Placed | undefined {
  const id = databaseId ?? parent?.id ?? '';
  return state.blocks.get(id) ?? state.pages.get(id) ?? state.dataSources.get(id) ?? state.databases.get(id);
}

/** Rejects a change to an object that is in the trash, directly or because an ancestor is. */
export function assertEditable(state: WorkspaceState, record: Placed): void {
  if (record.inTrash)
    throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
  assertOutOfTrash(state, record);
}

/** Rejects a change to an object with an ancestor in the trash. */
export function assertOutOfTrash(state: WorkspaceState, record: Placed): void {
  for (let holder = holderOf(state, record); holder !== undefined; holder = holderOf(state, holder))
    if (holder.inTrash)
      throw invalid(
        "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing.",
      );
}
