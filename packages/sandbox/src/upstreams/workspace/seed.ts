import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { personUser } from './identity.js';
import { insertBlocks } from './insert-blocks.js';
import { newColumn, type PropertyColumn } from './property-schema.js';
import { readValues } from './property-value.js';
import { plain } from './rich-text.js';
import {
  BOOK_COLUMNS,
  BOOKS,
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
  type DatabaseRecord,
  type DataSourceRecord,
  type PageRecord,
  type Parent,
  type WorkspaceState,
} from './state.js';

/** A small workspace: pages with blocks and a comment, a database of tasks, and a library of two data sources. */
export function seededState(person: Person, clock: Clock): WorkspaceState {
  const state = createState(person, clock);
  const seed = createSeed(state, person);
  const welcome = seed.page('Welcome', { type: 'workspace', id: '' }, WELCOME);
  seed.page('Meeting notes', { type: 'page_id', id: welcome.id }, NOTES);
  const projects = seed.page('Projects', { type: 'workspace', id: '' }, []);
  seed.database('Tasks', projects, [{ name: 'Tasks', columns: TASK_COLUMNS }]);
  seed.rows('Tasks', taskRows(personUser(person).id));
  seed.database('Library', projects, [
    { name: 'Books', columns: BOOK_COLUMNS },
    { name: 'Films', columns: FILM_COLUMNS },
  ]);
  seed.rows('Books', BOOKS);
  seed.rows('Films', FILMS);
  seed.comment(welcome, 'Nice to have everything in one place.');
  return state;
}

interface Source {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, config: Content, id: string])[];
}

function createSeed(state: WorkspaceState, person: Person) {
  const id = (name: string) => uuidFrom(`workspace of ${person.id}: ${name}`);
  const stamp = (name: string) => state.stamp(personUser(person).id, id(name));

  const page = (title: string, parent: Parent, blocks: readonly Content[]): PageRecord => {
    const record: PageRecord = {
      ...stamp(`page ${title}`),
      parent,
      values: new Map([['title', plain(title)]]),
      icon: null,
      cover: null,
      children: [],
      serial: 0,
    };
    state.pages.set(record.id, record);
    const insertion = {
      parent: { type: 'page_id', id: record.id },
      by: record.createdBy,
      idFor: (index: number) => id(`${title} ${index}`),
    } as const;
    record.children = insertBlocks(state, blocks, insertion).map((block) => block.id);
    if (parent.type === 'page_id') state.pages.get(parent.id)?.children.push(record.id);
    return record;
  };

  const database = (title: string, parent: PageRecord, sources: readonly Source[]): DatabaseRecord => {
    const dataSourceIds = sources.map(({ name }) => id(`data source ${name}`));
    const own = { title: plain(title), description: [], icon: null, cover: null, isInline: false };
    const record: DatabaseRecord = {
      ...stamp(`database ${title}`),
      ...own,
      parent: { type: 'page_id', id: parent.id },
      dataSourceIds,
    };
    state.databases.set(record.id, record);
    parent.children.push(record.id);
    for (const { name, columns } of sources) {
      const source: DataSourceRecord = {
        ...stamp(`data source ${name}`),
        databaseId: record.id,
        title: plain(name),
        icon: null,
        columns: columns.map(seedColumn),
        nextSerial: 0,
      };
      state.dataSources.set(source.id, source);
    }
    return record;
  };

  const rows = (sourceName: string, properties: readonly Content[]): void => {
    const source = state.dataSources.get(id(`data source ${sourceName}`));
    if (source === undefined) return;
    properties.forEach((row, index) => {
      source.nextSerial += 1;
      const values = readValues(source.columns, row, { pageExists: () => true });
      const parent: Parent = { type: 'data_source_id', id: source.id };
      const record: PageRecord = {
        ...stamp(`row ${sourceName} ${index}`),
        parent,
        values,
        icon: null,
        cover: null,
        children: [],
        serial: source.nextSerial,
      };
      state.pages.set(record.id, record);
    });
  };

  const comment = (on: PageRecord, content: string): void => {
    const record = {
      ...stamp(`comment ${content}`),
      parent: { type: 'page_id', id: on.id },
      discussionId: id(`discussion ${content}`),
      richText: plain(content),
    } as const;
    state.comments.set(record.id, record);
  };

  return { page, database, rows, comment };
}

function seedColumn([name, config, id]: readonly [string, Content, string]): PropertyColumn {
  return newColumn(name, config, id);
}
