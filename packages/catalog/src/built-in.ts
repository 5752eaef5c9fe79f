import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connector } from './connector.js';

/** The folder of the connectors that come with this package. */
export function builtInFolder(): string {
  return fileURLToPath(new URL('../schemas', import.meta.url));
}

/** Where the build leaves what it made of that folder. */
export const builtFile = (name: string): URL => new URL(`../dist/${name}`, import.meta.url);

export const BUILT_IN = 'built-in.json';

/** The connectors that come with this package, as the build read and checked them. */
export function readBuiltIn(): readonly Connector[] {
  return JSON.parse(readFileSync(builtFile(BUILT_IN), 'utf8'));
}
