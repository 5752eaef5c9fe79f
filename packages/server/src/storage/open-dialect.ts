import type { Dialect } from 'kysely';
import type { Lock } from './lock.js';

export type DialectKind = 'sqlite' | 'postgres';

/** What differs between the databases; everything else is the same SQL. */
export interface OpenDialect {
  readonly kind: DialectKind;
  readonly dialect: Dialect;
  /** Without limits of time, for changes of the tables; absent where the other one has none. */
  readonly migrating?: Dialect;
  readonly lock: Lock;
  /** For work under a name of `lock` that needs a second one: it never waits for those who hold a first one. */
  readonly innerLock: Lock;
  /** What time it is there; absent where it is this machine's time. */
  readonly readNow?: () => Promise<number>;
  /** Copies everything into a new file, as it is at one moment, while others read and write. */
  readonly copyDatabase: (file: string) => Promise<void>;
  /** To be called when no query runs any more. */
  readonly close: () => Promise<void>;
}
