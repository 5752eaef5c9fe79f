import { isJsonObject } from '@svc/catalog';

/** In `_meta` of a call: it is to change nothing. In `_meta` of its result: what it would do. */
export const DRY_RUN_META = 'svc/dryRun';

const OWN = 'svc/';

export const WRONG_META = `"_meta" takes "${DRY_RUN_META}", which is true or false, and nothing else that begins with "${OWN}".`;

/** Whether a message wants nothing to be changed; `undefined` where it may, and nobody can tell. */
export function readDryRun(message: unknown): boolean | undefined {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (!isJsonObject(meta)) return false;
  if (Object.keys(meta).some((key) => key.startsWith(OWN) && key !== DRY_RUN_META)) return undefined;
  const { [DRY_RUN_META]: isDry = false } = meta;
  return typeof isDry === 'boolean' ? isDry : undefined;
}
