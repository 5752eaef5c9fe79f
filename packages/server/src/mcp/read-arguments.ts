import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';

const notObject = (cause?: unknown): ServiceError =>
  new ServiceError(
    'invalid_request',
    '"arguments" is not an object. Send the input of the tool as a JSON object.',
    undefined,
    { cause },
  );

async function readText(text: string, parse: (bytes: Buffer) => Promise<unknown>): Promise<unknown> {
  try {
    return await parse(Buffer.from(text));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') throw notObject(error);
    throw error;
  }
}

/**
 * Corrects the `arguments` of a `tools/call` message for clients that send null, an empty text, or the object as JSON
 * text. Returns other messages unchanged. Throws `invalid_request` if the arguments are no object.
 */
export async function readArguments(
  message: unknown,
  parse: (bytes: Buffer) => Promise<unknown>,
): Promise<unknown> {
  if (!isJsonObject(message) || message['method'] !== 'tools/call') return message;
  const { params } = message;
  if (!isJsonObject(params) || params['arguments'] === undefined || isJsonObject(params['arguments']))
    return message;
  const { arguments: given, ...others } = params;
  const isAbsent = given === null || (typeof given === 'string' && given.trim() === '');
  if (isAbsent) return { ...message, params: others };
  const input = typeof given === 'string' ? await readText(given, parse) : given;
  if (!isJsonObject(input)) throw notObject();
  return { ...message, params: { ...others, arguments: input } };
}
