import path from 'node:path';

/** Tests of the room where the databases differ: they run on both. */
export const OF_BOTH = ['src/storage/**/*.test.ts'];

/** Tests of what stands on that room, the same on each: `npm test` takes each of these files on one of the databases. */
export const OF_EITHER = [
  'src/{applications,approvals,authorization,connections,limits,operators,records,routes,tokens,vault}/**/*.test.ts',
  'test/**/*.test.ts',
];

export const isOfBoth = (file: string): boolean => OF_BOTH.some((pattern) => path.matchesGlob(file, pattern));
