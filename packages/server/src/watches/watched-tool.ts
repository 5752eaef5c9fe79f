import {
  type Catalog,
  inputsWithoutWatch,
  type JsonObject,
  ownInputsOf,
  type Tool,
  type ToolVersion,
} from '@svc/catalog';
import { invalidInput, ServiceError } from '../errors.js';
import { resolveVersion } from '../tools/resolve-tool-call.js';
import { firstCursor, pageInput, type WatchedList } from './watch-cursor.js';

/** Returns the current version of a tool. A watch always uses this version. */
const currentOf = ({ versions }: Tool) => versions.find(({ status }) => status === 'current');

const notWatched = ({ tools }: Pick<Catalog, 'tools'>, name: string): ServiceError => {
  const watched = [...tools.values()].filter((tool) => currentOf(tool)?.watch !== undefined);
  const names = watched.map((tool) => tool.name);
  const advice = names.length === 0 ? 'No tool can be watched' : `Watch one of ${names.join(', ')}`;
  return new ServiceError('invalid_request', `The tool "${name}" cannot be watched. ${advice}.`, {
    tools: names,
  });
};

const VERSION_INPUTS = ['schema_version', 'tool_version'];

const wrongInput = (name: string, version: ToolVersion): ServiceError => {
  const isOwn = [...ownInputsOf(version), ...VERSION_INPUTS].includes(name);
  const why = isOwn
    ? 'the service sets it'
    : 'the upstream cannot report the changes of a list that this input filters';
  const message = `A watch does not accept the input "${name}", because ${why}. Omit "${name}".`;
  return invalidInput(name, 'watch', message);
};

/**
 * Returns the list that a watch reads by calling the tool with this input. Throws if a watch cannot poll the tool, or
 * not with this input.
 */
export function findWatchedList(catalog: Pick<Catalog, 'tools'>, tool: Tool, input: JsonObject): WatchedList {
  const version = currentOf(tool);
  const { watch } = version ?? {};
  if (version === undefined || watch === undefined) throw notWatched(catalog, tool.name);
  const wrong = [...inputsWithoutWatch(version), ...VERSION_INPUTS].find((name) =>
    Object.hasOwn(input, name),
  );
  if (wrong !== undefined) throw wrongInput(wrong, version);
  return { version, watch, items: watch.items ?? version.paging?.items ?? '', input };
}

/**
 * Returns the watch's input completed with the defaults in the tool's schema, so that equal inputs can be recognized.
 * Throws `invalid_input` if the schema does not allow the request for the first page of the list.
 */
export function withDefaults(catalog: Catalog, tool: Tool, list: WatchedList, now: number): JsonObject {
  const toolInput = pageInput(list, firstCursor(list.watch, now, false));
  const { version, input } = resolveVersion(catalog, tool, { toolInput });
  const own = inputsWithoutWatch(version);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !own.includes(name)));
}
