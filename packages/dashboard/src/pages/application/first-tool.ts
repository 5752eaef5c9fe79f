import { type Answer, call } from '../../api/call.ts';
import type { ExampleCall } from './set-up-lines.ts';

type Tool = Answer<'GET /operator/v1/tools'>['items'][number];

const neededBy = ({ inputSchema }: Tool): number =>
  Array.isArray(inputSchema['required']) ? inputSchema['required'].length : 0;

/** Of those that only look, the one that needs the least: what one tries first. */
function chooseFirst(tools: readonly Tool[]): Tool | undefined {
  const looking = tools.filter(({ hints }) => hints.readOnly && !hints.longRunning);
  return (looking.length > 0 ? looking : tools).toSorted((one, other) => neededBy(one) - neededBy(other))[0];
}

/** A first tool of the connector with an example of its input. */
export async function findFirstCall(
  connector: string,
  signal: AbortSignal,
): Promise<ExampleCall | undefined> {
  const { items } = await call('GET /operator/v1/tools', { query: { connector, pageSize: 100 } }, { signal });
  const first = chooseFirst(items);
  if (first === undefined) return undefined;
  const { examples } = await call(
    'GET /operator/v1/tools/{name}',
    { path: { name: first.name } },
    { signal },
  );
  return { toolName: first.name, input: examples?.[0]?.input ?? {} };
}
