import path from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { type Outcome, openFile, type Statement } from './sqlite-file.js';

/** SQLite file whose statements run one after another. */
export interface SqliteRunner {
  readonly run: (statement: Statement) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** Message to the worker thread that runs the SQLite file. The first message is `open`, and the last one is `close`. */
type Message = { readonly open: string } | { readonly statement: Statement } | { readonly close: true };

export type Request = { readonly id: number } & Message;

/** Database error as plain data, because an error loses its class when it is sent between threads. */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

type Reply = { readonly id: number } & ({ readonly outcome: Outcome } | { readonly fault: Fault });

// Path of the worker. It has the extension of this file: .ts in the source code, and .js in the build.
const WORKER = new URL(`./sqlite-worker${path.extname(import.meta.url)}`, import.meta.url);

const toError = ({ name, message, code }: Fault): Error =>
  name === 'SqliteError' && code !== undefined
    ? new Sqlite.SqliteError(message, code)
    : Object.assign(new Error(message), { name });

const ended = () => new Sqlite.SqliteError('the thread of the database has ended', 'SQLITE_IOERR');

/** Starts a worker thread for a SQLite file. A thread that has ended is not started again. */
function startThread() {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(WORKER);
  // Lets the process end although the worker thread exists. The thread keeps the process alive only while a statement
  // waits for its result.
  worker.unref();
  let hasEnded = false;
  let last = 0;

  worker.on('message', (reply: Reply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {};
    waiting.delete(reply.id);
    if ('fault' in reply) reject?.(toError(reply.fault));
    else resolve?.(reply.outcome);
    if (waiting.size === 0) worker.unref();
  });
  function end(error: Error): void {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.on('error', (error) => end(Object.assign(ended(), { cause: error })));
  worker.on('exit', () => end(ended()));

  const replyTo = (id: number) =>
    new Promise<Outcome>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
    });

  return {
    hasEnded: () => hasEnded,
    run: (request: Message): Promise<Outcome> => {
      if (hasEnded) return Promise.reject(ended());
      last += 1;
      const message: Request = { id: last, ...request };
      worker.postMessage(message);
      return replyTo(last);
    },
  };
}

let prepared: ReturnType<typeof startThread> | undefined;

/**
 * Starts the worker thread for SQLite before the file is known, because starting a thread takes as long as reading the
 * settings.
 */
export function prepareThread(): void {
  prepared ??= startThread();
}

/**
 * Opens a SQLite file in a separate worker thread, so that a slow statement, disk or file lock does not block the
 * caller's thread.
 */
export async function openInThread(file: string): Promise<SqliteRunner> {
  let thread = prepared ?? startThread();
  prepared = undefined;
  await thread.run({ open: file });
  return {
    run: async (statement) => {
      if (thread.hasEnded()) {
        thread = startThread();
        await thread.run({ open: file });
      }
      return thread.run({ statement });
    },
    close: async () => {
      if (!thread.hasEnded()) await thread.run({ close: true });
    },
  };
}

/**
 * Opens a SQLite file in the caller's thread. A database in memory needs this, because other threads cannot access it.
 */
export function openHere(file: string): SqliteRunner {
  const { run, close } = openFile(file);
  return { run: async (statement) => run(statement), close: async () => close() };
}
