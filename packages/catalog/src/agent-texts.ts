import type { Connector } from './connector.js';
import type { Tool } from './tool.js';

/** Title and description of a tool, as an agent reads them. */
interface AgentTexts {
  readonly title: string;
  readonly description: string;
}

/** Returns a tool's title and description, each with the name of the upstream service as users know it. */
export function agentTexts(
  { title, description, connector: id }: Tool,
  connector: Pick<Connector, 'service'> | undefined,
): AgentTexts {
  const service = connector?.service ?? id;
  return { title: `${title} (${service})`, description: `${service}: ${description}` };
}
