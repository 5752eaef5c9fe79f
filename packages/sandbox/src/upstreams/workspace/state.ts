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

/**
 * Common fields of every object. Times are epoch milliseconds. Responses round them down to the minute, as the real
 * service does.
 */
export interface Stamp {
  readonly id: string;
  readonly createdTime: number;
  readonly createdBy: string;
  lastEditedTime: number;
  lastEditedBy: string;
  inTrash: boolean;
  /** Sequence number of the object. It keeps the creation order of objects with equal times. */
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
  /** Property values by property id, without the type wrapper. */
  readonly values: Map<string, unknown>;
  icon: Content | null;
  cover: Content | null;
  children: string[];
  /** Number that `unique_id` properties show. */
  readonly serial: number;
  isLocked?: boolean;
  /** True for an archived page, which is not in the trash. */
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
  /** Property id as stored. Responses contain it percent-encoded. */
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
  /** Ids of the file uploads that are attached to the comment. */
  readonly attachments?: readonly string[];
  readonly customName?: string;
}

export interface FileUploadRecord extends Stamp {
  readonly isInParts: boolean;
  filename: string | null;
  contentType: string | null;
  /** Size of each uploaded part in bytes, by part number. */
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
    /** Returns the metadata of a new object. Seeded objects pass their own id. */
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
