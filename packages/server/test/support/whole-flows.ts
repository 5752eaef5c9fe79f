import path from 'node:path';

/** Tests of rooms that see a database: they run on both. */
export const OF_BOTH = [
  'src/{approvals,authorization,connections,records,storage,tenants,vault}/**/*.test.ts',
];

/** Tests beside those: `npm test` takes each of these files on one of the databases. */
export const WHOLE_FLOWS = ['src/routes/**/*.test.ts', 'test/**/*.test.ts'];

export const isOfBoth = (file: string): boolean => OF_BOTH.some((pattern) => path.matchesGlob(file, pattern));
