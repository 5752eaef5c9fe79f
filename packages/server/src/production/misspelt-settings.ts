import { closestName } from '@svc/catalog';
import { SETTINGS } from '../config/settings.js';
import type { Surroundings } from './surroundings.js';

const NAMES = Object.values(SETTINGS).map(({ env }) => env);

/** Variables that nobody reads, and that look like one that is read: clients and orchestrators have others of that beginning. */
export function findMisspelt({ env }: Surroundings): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && env[name] && !NAMES.includes(name))
    .flatMap((name) => {
      const meant = closestName(name, NAMES);
      return meant === undefined ? [] : `${name} does nothing; rename it to ${meant}, or take it out.`;
    });
}
