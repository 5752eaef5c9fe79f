import { PAGES } from '../../src/pages.ts';
import { hrefOf } from '../../src/paths.ts';

/** What pages are about, by the names of the parameters of their addresses. */
export type Subjects = Readonly<Record<string, string>>;

const isKnown = (path: string, subjects: Subjects): boolean =>
  [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => name in subjects);

/** The addresses of the pages that are about these subjects. */
export const addressesOf = (subjects: Subjects): readonly string[] =>
  PAGES.filter(({ path }) => isKnown(path, subjects)).map(({ path }) => hrefOf(path, subjects));
