import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.js';
import type { Person } from '../../person.js';
import { personUser } from './identity.js';
import type { RichText } from './rich-text.js';

export type Content = Record<string, unknown>;

export interface Parent {
  readonly type: 'workspace' | 'page_id' | 'block_id' | 'database_id' | 'data_source_id';
  readonly id: string;
}

/** Fields of every object. Times are milliseconds; responses round them to the minute, as the real service does. */
export interface Stamp {
  readonly id: string;
  readonly createdTime: number;
  readonly createdBy: string;
  lastEditedTime: number;
  lastEditedBy: string;
  inTrash: boolean;
  /** Grows with every object, so that equal times keep the order of making. */
  readonly order: number;
}

export interface BlockRecord extends Stamp {
  readonly type: string;
  content: Content;
  readonly parent: Parent;
  children: string[];
}

export interface PageRecord extends Stamp {
  parent: Parent;
  /** Values by property id: the part of a value below its type. */
  readonly values: Map<string, unknown>;
  icon: Content | null;
  cover: Content | null;
  children: string[];
  /** Number that unique_id columns show. */
  readonly serial: number;
  isLocked?: boolean;
  /** Put away, and not in the trash. */
  isArchived?: boolean;
}

export interface DatabaseRecord extends Stamp {
  parent: Parent;
  title: RichText[];
  description: RichText[];
  icon: Content | null;
  cover: Content | null;
  isInline: boolean;
  isLocked?: boolean;
  dataSourceIds: string[];
}

export interface Option {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

export interface PropertyColumn {
  /** Id as stored. Responses contain it percent-encoded. */
  readonly id: string;
  name: string;
  readonly type: string;
  readonly description: string | null;
  readonly options: Option[];
  readonly config: Readonly<Record<string, unknown>>;
}

export interface DataSourceRecord extends Stamp {
  databaseId: string;
  title: RichText[];
  icon: Content | null;
  columns: PropertyColumn[];
  nextSerial: number;
}

export interface CommentRecord extends Stamp {
  readonly parent: Parent;
  readonly discussionId: string;
  richText: RichText[];
  /** Ids of the uploads that hang on it. */
  readonly attachments?: readonly string[];
  readonly customName?: string;
}

export interface FileUploadRecord extends Stamp {
  readonly isInParts: boolean;
  filename: string | null;
  contentType: string | null;
  /** Bytes by the number of the part. */
  readonly parts: Map<number, number>;
  readonly totalParts: number;
  status: 'pending' | 'uploaded' | 'expired';
  readonly expiresAt: number;
}

export interface ViewRecord extends Stamp {
  readonly databaseId: string;
  readonly dataSourceId: string;
  readonly type: string;
  settings: Content;
  readonly queries: Map<string, { readonly rows: readonly string[]; readonly expiresAt: number }>;
}

export type WorkspaceState = ReturnType<typeof createState>;

export function createState(person: Person, clock: Clock) {
  let order = 0;
  const owner = personUser(person).id;
  return {
    person,
    blocks: new Map<string, BlockRecord>(),
    pages: new Map<string, PageRecord>(),
    databases: new Map<string, DatabaseRecord>(),
    dataSources: new Map<string, DataSourceRecord>(),
    comments: new Map<string, CommentRecord>(),
    fileUploads: new Map<string, FileUploadRecord>(),
    views: new Map<string, ViewRecord>(),
    /** The stamp of a new object; a seeded object brings its own id. */
    stamp(by = owner, id: string = randomUUID()): Stamp {
      const now = clock.now();
      order += 1;
      const edited = { lastEditedTime: now, lastEditedBy: by };
      return { id, createdTime: now, createdBy: by, ...edited, inTrash: false, order };
    },
    touch(record: Stamp, by: string): void {
      record.lastEditedTime = clock.now();
      record.lastEditedBy = by;
    },
  };
}
