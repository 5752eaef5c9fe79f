import { parentPort, workerData } from 'node:worker_threads';
// By its true name: where the service runs from its sources, this file is loaded by Node itself.
import { openFile, type SqliteFile } from './sqlite-file.ts';
import type { Fault, Request } from './sqlite-thread.js';

const toFault = (error: unknown): Fault => {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return 'code' in error ? { name, message, code: String(error.code) } : { name, message };
};

function answer(file: SqliteFile, request: Request): unknown {
  if ('statement' in request) return file.run(request.statement);
  file.close();
  return undefined;
}

function tried(id: number, work: () => unknown): void {
  try {
    parentPort?.postMessage({ id, outcome: work() });
  } catch (error) {
    parentPort?.postMessage({ id, fault: toFault(error) });
  }
}

/** The first answer, of the id 0, says whether the file could be opened. */
tried(0, () => {
  const file = openFile(String(workerData));
  parentPort?.on('message', (request: Request) => {
    tried(request.id, () => answer(file, request));
    if ('close' in request) parentPort?.close();
  });
});
