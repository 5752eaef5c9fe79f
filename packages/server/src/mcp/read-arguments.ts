import { isJsonObject, type JsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';

const notObject = (cause?: unknown): ServiceError =>
  new ServiceError(
    'invalid_request',
    '"arguments" is not an object. Send the input of the tool as a JSON object.',
    undefined,
    { cause },
  );

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Returns an object without the members that are null, which no MCP message defines. */
const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

function readMeta({ _meta: meta, ...others }: JsonObject): JsonObject {
  if (meta === undefined || isEmpty(meta)) return others;
  if (!isJsonObject(meta) || meta['progressToken'] !== null) return { ...others, _meta: meta };
  const { progressToken: _, ...rest } = meta;
  return { ...others, _meta: rest };
}

/**
 * Removes `params` and their members that are null, and a progress token that is null. Some clients write an absent
 * member as null, or an empty object as an empty list.
 */
function withoutEmpty({ params, ...others }: JsonObject): JsonObject {
  if (params === undefined || isEmpty(params)) return others;
  return { ...others, params: isJsonObject(params) ? withoutNulls(readMeta(params)) : params };
}

/** Parses the JSON text of an object. The text may be JSON of such a text, because some clients encode it twice. */
async function readText(text: string, parse: (bytes: Buffer) => Promise<unknown>): Promise<unknown> {
  try {
    const value = await parse(Buffer.from(text));
    return typeof value === 'string' ? await parse(Buffer.from(value)) : value;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') throw notObject(error);
    throw error;
  }
}

/**
 * Corrects an MCP message for clients that write absent members as null, and the `arguments` of `tools/call` for
 * clients that send an empty text or list, or the object as JSON text. Throws `invalid_request` if the arguments are no
 * object.
 */
export async function readArguments(
  given: unknown,
  parse: (bytes: Buffer) => Promise<unknown>,
): Promise<unknown> {
  if (!isJsonObject(given)) return given;
  const message = withoutEmpty(given);
  if (message['method'] !== 'tools/call') return message;
  const { params } = message;
  if (!isJsonObject(params) || params['arguments'] === undefined || isJsonObject(params['arguments']))
    return message;
  const { arguments: sent, ...others } = params;
  const isAbsent = isEmpty(sent) || (typeof sent === 'string' && ['', 'null'].includes(sent.trim()));
  if (isAbsent) return { ...message, params: others };
  const input = typeof sent === 'string' ? await readText(sent, parse) : sent;
  if (!isJsonObject(input)) throw notObject();
  return { ...message, params: { ...others, arguments: input } };
}
