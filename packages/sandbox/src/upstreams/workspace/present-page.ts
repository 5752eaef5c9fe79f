import { PERSON_USERS } from './identity.js';
import { address, presentParent, presentStamp, presentTrash, titleOf, type View } from './present.js';
import { presentValue } from './present-value.js';
import type { PageRecord, Parent, PropertyColumn, WorkspaceState } from './state.js';

export function presentPage(page: PageRecord, view: View, only?: ReadonlySet<string>) {
  const columns = columnsOf(page, view.state).filter(({ id }) => only === undefined || only.has(id));
  const properties = columns.map(
    (column) => [column.name, presentValue(column, page, PERSON_USERS)] as const,
  );
  return {
    object: 'page',
    id: page.id,
    ...presentStamp(page),
    cover: page.cover,
    icon: page.icon,
    parent: presentPageParent(page.parent, view),
    ...presentTrash(page, view.version),
    is_archived: page.isArchived ?? false,
    is_locked: page.isLocked ?? false,
    properties: Object.fromEntries(properties),
    url: address(page.id, titleOf(page)),
    public_url: null,
  };
}

function presentPageParent(parent: Parent, { state, version }: View) {
  if (parent.type !== 'data_source_id') return presentParent(parent);
  const database_id = state.dataSources.get(parent.id)?.databaseId;
  return version.hasDataSources
    ? { type: 'data_source_id', data_source_id: parent.id, database_id }
    : { type: 'database_id', database_id };
}

const TITLE_COLUMN: PropertyColumn = {
  id: 'title',
  name: 'title',
  type: 'title',
  description: null,
  options: [],
  config: {},
};

/** Returns the properties of a page. A page outside a database has only a title. */
export function columnsOf(page: PageRecord, state: WorkspaceState): readonly PropertyColumn[] {
  if (page.parent.type !== 'data_source_id') return [TITLE_COLUMN];
  return state.dataSources.get(page.parent.id)?.columns ?? [TITLE_COLUMN];
}
