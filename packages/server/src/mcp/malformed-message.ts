import { endOfString, isJsonObject, type JsonObject, parseJson } from '@svc/catalog';
import type { ServiceError } from '../errors.js';
import { NOT_JSON } from '../front/parse-json-body.js';
import { resultText } from './outcome.js';
import { isId } from './plain-request.js';
import { INVALID_REQUEST, PARSE_ERROR, rpcError, rpcResult } from './rpc-response.js';

const MEMBER = /^\s*"(?:id|method)"\s*:/;
const MAX_MEMBER_CHARACTERS = 1000;

/**
 * Returns the JSON text of the members `id` and `method` of an object. Skips all other members without parsing them,
 * because a malformed body may have very many keys.
 */
function findMembers(text: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index + 1);
    const closes = character === '}' || character === ']';
    if (depth === 1 && (closes || character === ',')) {
      const member = text.slice(start, index);
      if (member.length <= MAX_MEMBER_CHARACTERS && MEMBER.test(member)) members.push(member);
      start = index + 1;
    }
    if (closes) depth -= 1;
    if (character === '{' || character === '[') {
      depth += 1;
      if (depth === 1) start = index + 1;
    }
  }
  return members;
}

/**
 * Returns the id and the method of a JSON-RPC request whose other members are malformed, so that the error response can
 * name them. Returns an empty object if neither is readable.
 */
function identify(bytes: Buffer): JsonObject {
  try {
    const message = parseJson(`{${findMembers(bytes.toString()).join()}}`);
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}

/**
 * Returns the response to a malformed request body. The response to a tool call is a tool result with the error,
 * because the model reads it and can correct its call. Only the client program would read a JSON-RPC error.
 */
export function refusalOf(
  bytes: Buffer,
  { message }: ServiceError,
): { readonly status: number; readonly text: string } {
  const { id, method } = message === NOT_JSON ? {} : identify(bytes);
  if (!isId(id)) return { status: 400, text: rpcError({ code: PARSE_ERROR, message }) };
  if (method !== 'tools/call') return { status: 400, text: rpcError({ id, code: INVALID_REQUEST, message }) };
  const advice = `invalid_input: ${message} Change the arguments, then call again.`;
  const result = resultText({ code: 'invalid_input', text: advice, isRetryable: false });
  return { status: 200, text: `${rpcResult(id)}${result}}` };
}
