import type { Call } from './call.js';
import { boolean, type Shape } from './shape.js';
import type { Version } from './version.js';

/** The keys that move an object to the trash: `archived` went away with the newest version. */
export function trashShapes({ hasArchived }: Version): Record<string, Shape> {
  return hasArchived ? { archived: boolean, in_trash: boolean } : { in_trash: boolean };
}

/** What the body says about the trash; undefined when it says nothing. */
export function askedTrash({ body }: Call): boolean | undefined {
  const asked = body.in_trash ?? body.archived;
  return typeof asked === 'boolean' ? asked : undefined;
}
