import { isJsonObject } from '@svc/catalog';

/**
 * Key in `_meta` for dry runs. A request sets it to `true`. The result contains the planned upstream requests under
 * this key.
 */
export const DRY_RUN_META = 'svc/dryRun';

const OWN = 'svc/';

export const WRONG_META = `"_meta" contains an invalid field. Among the fields that begin with "${OWN}", send only "${DRY_RUN_META}", with true or false.`;

/**
 * True if the MCP message requests a dry run. `undefined` if its `_meta` is invalid, because a misspelled key may have
 * meant a dry run.
 */
export function readDryRun(message: unknown): boolean | undefined {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (!isJsonObject(meta)) return false;
  if (Object.keys(meta).some((key) => key.startsWith(OWN) && key !== DRY_RUN_META)) return undefined;
  const { [DRY_RUN_META]: isDry = false } = meta;
  return typeof isDry === 'boolean' ? isDry : undefined;
}
