import { isJsonObject } from '@svc/catalog';

/** Key in `_meta`: `true` in a call that must change nothing, the plan in its result. */
export const DRY_RUN_META = 'svc/dryRun';

const OWN = 'svc/';

export const WRONG_META = `"_meta" takes "${DRY_RUN_META}", which is true or false, and nothing else that begins with "${OWN}".`;

/** True when a message asks for a dry run; `undefined` when its `_meta` is wrong and may have asked for one. */
export function readDryRun(message: unknown): boolean | undefined {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (!isJsonObject(meta)) return false;
  if (Object.keys(meta).some((key) => key.startsWith(OWN) && key !== DRY_RUN_META)) return undefined;
  const { [DRY_RUN_META]: isDry = false } = meta;
  return typeof isDry === 'boolean' ? isDry : undefined;
}
