import { ApiError } from '../../../google/api-error.js';
import { incompatibleParameters, invalidParameter, missingParameter, noFilter } from '../refusals.js';
import { type Call, splitList } from './call.js';

/**
 * Returns the name of the only filter in the request. Rejects none or several; a filter with the value `false` counts
 * as absent.
 */
export function oneFilter<Name extends string>({ parameters }: Call, names: readonly Name[]): Name {
  const given = names.filter((name) => {
    const value = parameters.text(name);
    return value !== undefined && value !== 'false';
  });
  const [first, ...others] = given;
  if (first === undefined) throw noFilter(names);
  if (others.length > 0) throw incompatibleParameters(given);
  return first;
}

export function refuseWith({ parameters }: Call, filter: string, names: readonly string[]): void {
  const given = names.filter((name) => parameters.text(name) !== undefined);
  if (given.length > 0) throw incompatibleParameters([filter, ...given]);
}

const MOST_IDS = 50;

/** Returns the ids in a query parameter, comma-separated or repeated. At most 50 are allowed. */
export function idsOf({ parameters }: Call, name = 'id'): string[] {
  const ids = [...new Set(parameters.all(name).flatMap(splitList))];
  if (ids.length <= MOST_IDS) return ids;
  throw invalidParameter(name, `The request has more than ${MOST_IDS} ids.`);
}

export function requiredText({ parameters }: Call, name: string): string {
  const value = parameters.text(name);
  if (value === undefined || value === '') throw missingParameter(name);
  return value;
}

export function readRegion({ parameters }: Call): string | undefined {
  const region = parameters.text('regionCode');
  if (region === undefined || isRegion(region)) return region;
  throw new ApiError(400, 'invalidRegionCode', `Invalid region code: ${region}`);
}

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function isRegion(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && regionNames.of(code) !== undefined;
}

export function checkLanguage(language: string | undefined): void {
  if (language === undefined || /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(language)) return;
  throw new ApiError(400, 'invalidLanguage', `Invalid language: ${language}`);
}
