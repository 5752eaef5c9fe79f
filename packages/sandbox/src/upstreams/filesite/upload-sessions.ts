import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { randomToken } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { invalidRange, invalidRequest } from './api-error.js';
import { type Destination, type StoredFile, storeFile } from './destination.js';

export interface UploadSession {
  readonly url: string;
  readonly destination: Destination;
  readonly person: Person;
  readonly deferCommit: boolean;
  readonly expires: number;
  readonly ranges: Buffer[];
  received: number;
  /** Total file size in bytes. Undefined until the first range arrives. */
  total: number | undefined;
}

interface ByteRange {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly bytes: Buffer;
}

const LIFE = 24 * 3600 * 1000;
const UNIT = 320 * 1024;
const MAX_RANGE = 60 * 1024 * 1024;

export type UploadSessions = ReturnType<typeof createUploadSessions>;

export function createUploadSessions(baseUrl: string, clock: Clock) {
  const sessions = new Map<string, UploadSession>();
  const addressOf = ({ url }: UploadSession) => url.slice(baseUrl.length);
  const commit = (session: UploadSession): StoredFile => {
    if (session.total === undefined || session.received < session.total)
      throw invalidRequest('The upload is not complete.');
    const content = Buffer.concat(session.ranges);
    const stored = storeFile(session.destination, {
      content,
      mimeType: 'application/octet-stream',
      now: clock.now(),
    });
    sessions.delete(addressOf(session));
    return stored;
  };
  return {
    open(
      destination: Destination,
      { person, deferCommit }: { person: Person; deferCommit: boolean },
    ): UploadSession {
      for (const [address, known] of sessions) if (clock.now() > known.expires) sessions.delete(address);
      const url = `${baseUrl}${sessionPath(destination)}`;
      const expires = clock.now() + LIFE;
      const session: UploadSession = {
        url,
        destination,
        person,
        deferCommit,
        expires,
        ranges: [],
        received: 0,
        total: undefined,
      };
      sessions.set(addressOf(session), session);
      return session;
    },
    find(address: string) {
      const session = sessions.get(address);
      return session === undefined || clock.now() > session.expires ? undefined : session;
    },
    status: ({ expires, received, total }: UploadSession) => ({
      expirationDateTime: new Date(expires).toISOString(),
      nextExpectedRanges: received === total ? [] : [`${received}-`],
    }),
    /** Appends the next byte range. After the last range, returns the created file, unless the commit is deferred. */
    receive(session: UploadSession, range: ByteRange): StoredFile | undefined {
      checkRange(session, range);
      session.ranges.push(range.bytes);
      session.received += range.bytes.length;
      session.total = range.total;
      return session.received === range.total && !session.deferCommit ? commit(session) : undefined;
    },
    commit,
    cancel: (session: UploadSession) => void sessions.delete(addressOf(session)),
    reset: () => sessions.clear(),
  };
}

function sessionPath({ site, parent, behavior }: Destination): string {
  const options = `overwrite=${behavior === 'replace'}&rename=${behavior === 'rename'}`;
  const path = `/_api/v2.0/drives/${site.driveId}/items/${parent.id}/uploadSession`;
  return `${path}?guid=${randomUUID()}&${options}&tempauth=v1.${randomToken(32)}`;
}

function checkRange(session: UploadSession, { first, last, total, bytes }: ByteRange): void {
  if (bytes.length === 0 || bytes.length !== last - first + 1 || last >= total)
    throw invalidRequest('The Content-Range header does not fit the body.');
  if (session.total !== undefined && session.total !== total)
    throw invalidRequest('The total size differs from that of earlier ranges.');
  if (bytes.length >= MAX_RANGE) throw invalidRequest('A range has to be smaller than 60 MiB.');
  if (last + 1 < total && bytes.length % UNIT !== 0)
    throw invalidRequest('Every range but the last has to be a multiple of 320 KiB.');
  if (first < session.received) throw invalidRange('The uploaded fragment has already been received.');
  if (first > session.received) throw invalidRange('The uploaded fragment leaves out what comes before it.');
}
