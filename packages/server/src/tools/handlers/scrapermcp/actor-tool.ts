import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { McpTool } from '../../handler.js';
import type { Json } from '../json.js';

/** Tool of an actor (a program on the scraping platform) that is itself an MCP server. */
export interface ActorTool {
  readonly actor: string;
  readonly tool: string;
  readonly input: Json;
}

/** Tool name and arguments of a call to the connector's MCP server. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Json;
}

const CALL_ACTOR = 'call-actor';
/**
 * Names of tool arguments by which the service recognizes the MCP tool that calls actors (scraping programs), because
 * its name changes between server versions.
 */
const ACTOR_INPUTS = ['actor', 'actorName', 'actorId'];
const TOOL_INPUTS = ['tool', 'toolName', 'mcpTool', 'mcpToolName'];
const ARGUMENT_INPUTS = ['input', 'arguments', 'args', 'toolInput', 'toolArguments'];

/**
 * Splits `owner/name:tool` into an actor (a program on the scraping platform) and one of its tools. Returns `undefined`
 * if the text contains no tool name.
 */
export function readActorTool(toolName: string): Pick<ActorTool, 'actor' | 'tool'> | undefined {
  const [, actor, tool] = /^(.+):([^:]+)$/.exec(toolName) ?? [];
  return actor === undefined || tool === undefined ? undefined : { actor, tool };
}

const propertiesOf = ({ inputSchema }: McpTool): Json => {
  const { properties } = inputSchema;
  return isJsonObject(properties) ? properties : {};
};

/**
 * Builds the arguments of the MCP tool `listed` to call a tool of an actor (a scraping program). Returns `undefined`
 * unless `listed` takes an actor, a tool name and a tool input.
 */
function argumentsFor(listed: McpTool, { actor, tool, input }: ActorTool): Json | undefined {
  const properties = propertiesOf(listed);
  const find = (names: readonly string[]) => names.find((name) => Object.hasOwn(properties, name));
  const names = [find(ACTOR_INPUTS), find(TOOL_INPUTS), find(ARGUMENT_INPUTS)];
  const { required } = listed.inputSchema;
  const isEnough = !Array.isArray(required) || required.every((name) => names.includes(name));
  const [actorInput, toolInput, argumentInput] = names;
  if (!isEnough || !actorInput || !toolInput || !argumentInput) return undefined;
  return { [actorInput]: actor, [toolInput]: tool, [argumentInput]: input };
}

/**
 * Name under which the MCP server lists a tool of an actor (a scraping program), if it lists the tools of actors
 * directly.
 */
const ownName = ({ actor, tool }: ActorTool): string =>
  `${actor.replaceAll('.', '-dot-').replace('/', '--')}--${tool}`;

/**
 * Returns true if the MCP tool `call-actor` accepts `owner/name:tool` as its `actor` argument, according to the
 * description of that argument.
 */
const passesThrough = (listed: McpTool): boolean =>
  listed.name === CALL_ACTOR && /actorName:tool/i.test(JSON.stringify(propertiesOf(listed)['actor'] ?? ''));

/**
 * Finds the tool of the connector's MCP server that can call the given tool of an actor (a scraping program). Throws
 * not_found if no tool can.
 */
export function findActorToolCall(called: ActorTool, tools: readonly McpTool[]): ToolCall {
  const own = tools.find(({ name }) => name === ownName(called));
  if (own !== undefined) return { tool: own.name, args: called.input };
  for (const listed of tools) {
    const args = listed.name === CALL_ACTOR ? undefined : argumentsFor(listed, called);
    if (args !== undefined) return { tool: listed.name, args };
  }
  const { actor, tool, input } = called;
  if (tools.some(passesThrough)) return { tool: CALL_ACTOR, args: { actor: `${actor}:${tool}`, input } };
  const message = `The MCP server of the upstream has no tool that calls "${tool}" of the actor ${actor}, so nothing was called. Run the actor without ":${tool}", or use the MCP server of this actor.`;
  throw new ServiceError('not_found', message, { actor, tool });
}
