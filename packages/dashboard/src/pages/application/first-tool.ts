import { call } from '../../api/call.ts';
import { loadTools } from '../../api/catalogue.ts';
import { easiestTool } from '../tools/easiest-tool.ts';
import type { ExampleCall } from './set-up-lines.ts';

/** A first tool of the connector with an example of its input. */
export async function findFirstCall(
  connector: string,
  signal: AbortSignal,
): Promise<ExampleCall | undefined> {
  const first = easiestTool(await loadTools(connector, signal));
  if (first === undefined) return undefined;
  const { examples } = await call(
    'GET /operator/v1/tools/{name}',
    { path: { name: first.name } },
    { signal },
  );
  return { toolName: first.name, input: examples?.[0]?.input ?? {} };
}
