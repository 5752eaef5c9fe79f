import { hrefOf, PATHS } from '../../src/paths.ts';

/** The values of the path parameters of pages, by parameter name. */
export type Subjects = Readonly<Record<string, string>>;

const isKnown = (path: string, subjects: Subjects): boolean =>
  [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => name in subjects);

/** The URLs of all pages whose path parameters `subjects` contains. */
export const addressesOf = (subjects: Subjects): readonly string[] =>
  Object.values(PATHS)
    .filter((path) => isKnown(path, subjects))
    .map((path) => hrefOf(path, subjects));
