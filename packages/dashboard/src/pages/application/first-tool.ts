import { call } from '../../api/call.ts';
import { loadTools } from '../../api/catalogue.ts';
import { easiestTool } from '../tools/easiest-tool.ts';
import type { ExampleCall } from './set-up-lines.ts';

const found = new Map<string, Promise<ExampleCall | undefined>>();

async function askFirstCall(connector: string): Promise<ExampleCall | undefined> {
  const first = easiestTool(await loadTools(connector));
  if (first === undefined) return undefined;
  const { examples } = await call('GET /operator/v1/tools/{name}', { path: { name: first.name } });
  return { toolName: first.name, input: examples?.[0]?.input ?? {} };
}

/** A first tool of the connector with an example of its input. It changes only with the service, so it is asked for once. */
export function findFirstCall(connector: string): Promise<ExampleCall | undefined> {
  const known = found.get(connector) ?? askFirstCall(connector);
  found.set(connector, known);
  known.catch(() => found.delete(connector));
  return known;
}
