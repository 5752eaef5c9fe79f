import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadCatalog } from '../../packages/catalog/dist/index.js';
import {
  type ConnectorChanges,
  compareRelease,
  highestLevel,
  type ReleaseFile,
  readReleaseFile,
} from '../../packages/codegen/dist/release.js';
import type { Bump, Bumps } from './changesets.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Path of `released.json`, in which the last release recorded the tool versions that must not change. */
export const RELEASED = path.join(ROOT, 'schemas', 'released.json');

/** Checks whether released.json exists, which the first release writes. */
export const isAnythingReleased = (): boolean => existsSync(RELEASED);

/**
 * Reads released.json: the tool versions that the last release contained and that must not change. Empty before the
 * first release.
 */
export const readReleased = (): ReleaseFile =>
  isAnythingReleased() ? readReleaseFile(RELEASED) : { connectors: {} };

/** Compares the connectors of the catalogue with the last release. */
export function changesSinceRelease(): readonly ConnectorChanges[] {
  return compareRelease(readReleased(), loadCatalog({ fromFiles: true, builtIn: false, folders: [SCHEMAS] }));
}
const SCHEMAS = path.join(ROOT, 'schemas');

const BUMPS = { breaking: 'major', additive: 'minor', internal: 'patch' } as const;
/**
 * Packages that contain all connectors. A breaking change of one connector is not breaking for them, because released
 * tool versions stay callable.
 */
const WHOLES = ['@svc/catalog', '@svc/server'];

/**
 * Returns the semver level (such as `minor`) by which each affected package must rise because of a connector's changes.
 */
export function neededBumps({ id, released, changes }: ConnectorChanges): Bumps {
  const level = highestLevel(changes);
  if (level === undefined) return new Map();
  const own: Bump = released === undefined ? 'major' : BUMPS[level];
  const whole: Bump = level === 'internal' ? 'patch' : 'minor';
  return new Map([[`@svc/${id}`, own], ...WHOLES.map((name): [string, Bump] => [name, whole])]);
}
