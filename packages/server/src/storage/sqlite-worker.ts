import { parentPort } from 'node:worker_threads';
// The import has the extension .ts, because Node.js loads this file directly when the service runs from its source
// code.
import { openFile, type SqliteFile } from './sqlite-file.ts';
import type { Fault, Request } from './sqlite-thread.js';

const toFault = (error: unknown): Fault => {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return 'code' in error ? { name, message, code: String(error.code) } : { name, message };
};

let file: SqliteFile | undefined;

function run(request: Request): unknown {
  if ('open' in request) file = openFile(request.open);
  else if ('statement' in request) return file?.run(request.statement);
  else file?.close();
  return undefined;
}

parentPort?.on('message', (request: Request) => {
  const { id } = request;
  try {
    parentPort?.postMessage({ id, outcome: run(request) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: toFault(error) });
  }
  // Ends the worker if it should close its file or could not open it, because it then cannot run any statement.
  if ('close' in request || !file) parentPort?.close();
});
