import path from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { type Outcome, openFile, type Statement } from './sqlite-file.js';

/** A file whose statements run one after the other. */
export interface SqliteRunner {
  readonly run: (statement: Statement) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** A file is opened first; nothing follows its end. */
type Asked = { readonly open: string } | { readonly statement: Statement } | { readonly close: true };

export type Request = { readonly id: number } & Asked;

/** What went wrong; the class of an error does not pass between threads. */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly id: number } & ({ readonly outcome: Outcome } | { readonly fault: Fault });

// In the sources the thread is a .ts file, as this one is; where they are built it stands beside this one.
const WORKER = new URL(`./sqlite-worker${path.extname(import.meta.url)}`, import.meta.url);

const toError = ({ name, message, code }: Fault): Error =>
  name === 'SqliteError' && code !== undefined
    ? new Sqlite.SqliteError(message, code)
    : Object.assign(new Error(message), { name });

const ended = () => new Sqlite.SqliteError('the thread of the database has ended', 'SQLITE_IOERR');

/** The thread from its start to its end: one that has ended is not started again. */
function startThread() {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(WORKER);
  // Only who waits for an answer keeps the process going.
  worker.unref();
  let isOver = false;
  let last = 0;

  worker.on('message', (answer: Answer) => {
    const { resolve, reject } = waiting.get(answer.id) ?? {};
    waiting.delete(answer.id);
    if ('fault' in answer) reject?.(toError(answer.fault));
    else resolve?.(answer.outcome);
    if (waiting.size === 0) worker.unref();
  });
  function end(error: Error): void {
    isOver = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.on('error', (error) => end(Object.assign(ended(), { cause: error })));
  worker.on('exit', () => end(ended()));

  const answered = (id: number) =>
    new Promise<Outcome>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
    });

  return {
    isOver: () => isOver,
    ask: (request: Asked): Promise<Outcome> => {
      if (isOver) return Promise.reject(ended());
      last += 1;
      const message: Request = { id: last, ...request };
      worker.postMessage(message);
      return answered(last);
    },
  };
}

let prepared: ReturnType<typeof startThread> | undefined;

/** Starts the thread of the file that is opened next: it takes as long as all that a process loads before it knows the file. */
export function prepareThread(): void {
  prepared ??= startThread();
}

/** In a thread of its own, so that no statement, no disk and no lock of another process holds up the caller's. */
export async function openInThread(file: string): Promise<SqliteRunner> {
  let thread = prepared ?? startThread();
  prepared = undefined;
  await thread.ask({ open: file });
  return {
    run: async (statement) => {
      if (thread.isOver()) {
        thread = startThread();
        await thread.ask({ open: file });
      }
      return thread.ask({ statement });
    },
    close: async () => {
      if (!thread.isOver()) await thread.ask({ close: true });
    },
  };
}

/** In the caller's thread: for a database in memory, which waits for nothing and which no other thread sees. */
export function openHere(file: string): SqliteRunner {
  const { run, close } = openFile(file);
  return { run: async (statement) => run(statement), close: async () => close() };
}
