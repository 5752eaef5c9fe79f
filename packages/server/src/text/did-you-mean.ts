import { closestName } from '@svc/catalog';

/** Returns a sentence with the known name that resembles a misspelled one, after a space. Empty if none does. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = closestName(name, [...known]);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
