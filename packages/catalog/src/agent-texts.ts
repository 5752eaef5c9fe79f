import type { Connector } from './connector.js';
import type { Tool } from './tool.js';

/** Texts of a tool for an agent. */
interface AgentTexts {
  readonly title: string;
  readonly description: string;
}

/** Returns the title and description of a tool with the name of its service, which is what users call it. */
export function agentTexts(
  { title, description, connector: id }: Tool,
  connector: Pick<Connector, 'service'> | undefined,
): AgentTexts {
  const service = connector?.service ?? id;
  return { title: `${title} (${service})`, description: `${service}: ${description}` };
}
