import { ServiceError } from '@svc/core';
import type { FileLocation } from './resources.js';

const SITE_ID = /^[\w.-]+(,[\w-]+){0,2}$/;
const FORBIDDEN = /[\\*<>?:|;]/;

/**
 * Returns the upstream's path of a file. The colon and commas are part of the upstream's syntax, so only the names
 * are encoded.
 */
export function filePath({ siteId = 'root', path }: FileLocation): string {
  if (!SITE_ID.test(siteId)) throw invalid(`"${siteId}" is not a site id. Use an id that listSites returns.`);
  const names = path.replace(/^\//, '').split('/');
  for (const name of names) checkName(name);
  return `/v1.0/sites/${siteId}/drive/root:/${names.map(encodeURIComponent).join('/')}`;
}

/** Returns the name of a file: the last segment of its path. */
export const fileName = ({ path }: FileLocation): string => path.slice(path.lastIndexOf('/') + 1);

function checkName(name: string): void {
  const [forbidden] = FORBIDDEN.exec(name) ?? [];
  if (forbidden !== undefined)
    throw invalid(`The name "${name}" contains the forbidden character ${forbidden}. Remove the character.`);
  if (name === '' || name === '.' || name === '..')
    throw invalid('The path contains an empty name, "." or "..". Remove this name from the path.');
  if (name.startsWith('~'))
    throw invalid(`The name "${name}" begins with the forbidden character ~. Remove the character.`);
  if (!name.isWellFormed()) throw invalid('The path is not valid Unicode. Correct the path.');
}

const invalid = (message: string): ServiceError => new ServiceError({ code: 'invalid_request', message });
