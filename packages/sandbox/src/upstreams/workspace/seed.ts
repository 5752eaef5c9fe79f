import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { personUser } from './identity.js';
import { insertBlocks } from './insert-blocks.js';
import { newColumn } from './property-schema.js';
import { readValues } from './property-value.js';
import { plain } from './rich-text.js';
import {
  BOOK_COLUMNS,
  BOOKS,
  type Columns,
  FILM_COLUMNS,
  FILMS,
  NOTES,
  TASK_COLUMNS,
  taskRows,
  WELCOME,
} from './seed-data.js';
import {
  type Content,
  createState,
  type PageRecord,
  type Parent,
  type Stamp,
  type WorkspaceState,
} from './state.js';

export function seededState(person: Person, clock: Clock): WorkspaceState {
  const state = createState(person, clock);
  const owner = personUser(person).id;
  const seed: Seed = {
    state,
    stamp: (name) => state.stamp(owner, uuidFrom(`workspace of ${person.id}: ${name}`)),
  };
  const root: Parent = { type: 'workspace', id: '' };
  const welcome = addPage(seed, { title: 'Welcome', parent: root, blocks: WELCOME });
  addPage(seed, { title: 'Meeting notes', parent: { type: 'page_id', id: welcome.id }, blocks: NOTES });
  const projects = addPage(seed, { title: 'Projects', parent: root, blocks: [] });
  addDatabase(seed, projects, {
    title: 'Tasks',
    sources: [{ name: 'Tasks', columns: TASK_COLUMNS, rows: taskRows(owner) }],
  });
  addDatabase(seed, projects, {
    title: 'Library',
    sources: [
      { name: 'Books', columns: BOOK_COLUMNS, rows: BOOKS },
      { name: 'Films', columns: FILM_COLUMNS, rows: FILMS },
    ],
  });
  addComment(seed, welcome, 'Nice to have everything in one place.');
  return state;
}

interface Seed {
  readonly state: WorkspaceState;
  /** Returns the metadata of a seeded object. The id depends only on the name, so it survives restarts. */
  stamp(name: string): Stamp;
}

const EMPTY = { icon: null, cover: null };

function addPage(
  { state, stamp }: Seed,
  { title, parent, blocks }: { title: string; parent: Parent; blocks: readonly Content[] },
): PageRecord {
  const values = new Map([['title', plain(title)]]);
  const page: PageRecord = { ...stamp(`page ${title}`), ...EMPTY, parent, values, children: [], serial: 0 };
  state.pages.set(page.id, page);
  const inserted = insertBlocks(state, blocks, {
    parent: { type: 'page_id', id: page.id },
    by: page.createdBy,
  });
  page.children = inserted.map(({ id }) => id);
  if (parent.type === 'page_id') state.pages.get(parent.id)?.children.push(page.id);
  return page;
}

interface Source {
  readonly name: string;
  readonly columns: Columns;
  readonly rows: readonly Content[];
}

function addDatabase(
  seed: Seed,
  parent: PageRecord,
  { title, sources }: { title: string; sources: readonly Source[] },
): void {
  const { state, stamp } = seed;
  const look = { title: plain(title), description: [], icon: null, cover: null, isInline: false };
  const own = stamp(`database ${title}`);
  const dataSourceIds = sources.map((source) => addSource(seed, own.id, source));
  state.databases.set(own.id, { ...own, ...look, parent: { type: 'page_id', id: parent.id }, dataSourceIds });
  parent.children.push(own.id);
}

function addSource({ state, stamp }: Seed, databaseId: string, { name, columns, rows }: Source): string {
  const own = {
    ...stamp(`data source ${name}`),
    databaseId,
    title: plain(name),
    icon: null,
    nextSerial: rows.length,
  };
  const source = { ...own, columns: columns.map(([column, config, id]) => newColumn(column, config, id)) };
  state.dataSources.set(source.id, source);
  rows.forEach((row, index) => {
    const values = readValues(source.columns, row, { pageExists: () => true });
    const parent: Parent = { type: 'data_source_id', id: source.id };
    const page = { ...stamp(`row ${name} ${index}`), ...EMPTY, parent, values, children: [] };
    state.pages.set(page.id, { ...page, serial: index + 1 });
  });
  return source.id;
}

function addComment({ state, stamp }: Seed, on: PageRecord, content: string): void {
  const { id: discussionId } = stamp(`discussion ${content}`);
  const parent: Parent = { type: 'page_id', id: on.id };
  const comment = { ...stamp(`comment ${content}`), parent, discussionId, richText: plain(content) };
  state.comments.set(comment.id, comment);
}
