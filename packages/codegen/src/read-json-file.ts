import { existsSync, readFileSync } from 'node:fs';
import { CatalogError } from '@svc/catalog';

/**
 * Reads a JSON file that a person or an earlier generator run wrote. Throws `CatalogError` if the file is missing or
 * not JSON.
 */
export function readJsonFile(path: string): unknown {
  const wrong = (reason: string) => new CatalogError([{ path, where: '', reason }]);
  if (!existsSync(path)) throw wrong('the file does not exist; run svc-codegen to generate the package');
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong(`the file is not valid JSON; correct the syntax: ${error.message}`);
  }
}
