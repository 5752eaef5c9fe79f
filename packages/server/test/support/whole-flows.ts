import path from 'node:path';

/** Tests beside the rooms that write SQL: `npm test` takes each of these files on one of the databases. */
export const WHOLE_FLOWS = ['src/routes/**/*.test.ts', 'test/**/*.test.ts'];

export const isWholeFlow = (file: string): boolean =>
  WHOLE_FLOWS.some((pattern) => path.matchesGlob(file, pattern));
