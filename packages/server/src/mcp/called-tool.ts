import { isJsonObject } from '@svc/catalog';
import type { MetaTool } from './meta-tools.js';

const BY_NAME: MetaTool = 'call_tool';

/** The name of the tool that a message calls, straight or by way of another. */
export function calledTool(message: unknown): string | undefined {
  const params = isJsonObject(message) && message['method'] === 'tools/call' ? message['params'] : undefined;
  if (!isJsonObject(params)) return undefined;
  const { name, arguments: input } = params;
  const called = name === BY_NAME && isJsonObject(input) ? input['name'] : name;
  return typeof called === 'string' ? called : undefined;
}
