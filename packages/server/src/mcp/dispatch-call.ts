import { cutText, isJsonObject, type JsonObject, type JsonSchema } from '@svc/catalog';
import { readLoosely } from '@svc/catalog/dialects';
import { invalidField, invalidInput, ServiceError } from '../errors.js';
import type { RecordRefused } from '../tools/record-refused.js';
import type { AgentCall, CallTool } from './call-tool.js';
import type { Jobs } from './jobs.js';
import { isMetaTool, META_TOOLS, type MetaTool } from './meta-tools.js';
import type { Failure, Outcome } from './outcome.js';
import { boundedOutput, boundedSchema, escapedLength } from './short-schema.js';
import type { Toolset } from './toolset.js';
import type { DescribeTool } from './wire-tool.js';
import { listAccounts, withAccounts } from './with-accounts.js';

interface DispatchCallParts {
  readonly callTool: CallTool;
  readonly describeTool: DescribeTool;
  readonly jobs: Jobs;
  readonly recordRefused: RecordRefused;
}

const DEFAULT_MATCHES = 5;
const MAX_MATCHES = 20;
/**
 * Maximum characters of a tool's description in the result of `describe_tool`, counted after JSON escaping. The whole
 * response then has about 8 kB.
 */
const MAX_DESCRIBED_CHARACTERS = 7500;
/** Maximum characters of the part of a tool's description that names the user's accounts. */
const MAX_ACCOUNTS_CHARACTERS = 1500;
const MAX_QUERY_CHARACTERS = 1000;
const NO_MATCHES =
  'No tool matches these words. Describe the task differently, such as "list events". If no tool is found again, tell the user that the task is not possible here.';
const FIRST_SENTENCE = /^.*?[.!?](?=\s|$)/s;

const failure = (code: Failure['code'], message: string): Failure => ({
  code,
  text: `${code}: ${message}`,
  isRetryable: false,
});

function noTool(name: string, { usesMetaTools, whyAbsent }: Toolset): ServiceError {
  const absence = whyAbsent(name);
  const where = usesMetaTools ? 'Find your tools with search_tools.' : 'Use a tool from the list of tools.';
  const message =
    absence === undefined
      ? `You have no tool ${JSON.stringify(name)}. ${where}`
      : `You may not call ${JSON.stringify(name)}. ${absence.text}`;
  return new ServiceError('tool_not_found', message, absence && { reason: absence.reason });
}

/** Returns the text of the JSON-RPC error for a direct call of a tool that the client does not have. */
export function absentToolText(name: string, { whyAbsent }: Toolset): string {
  const absence = whyAbsent(name);
  if (absence !== undefined) return `Tool not allowed: ${JSON.stringify(name)}. ${absence.text}`;
  return `Unknown tool: ${JSON.stringify(name)}. Use a name from tools/list.`;
}

const success = (data: unknown): Outcome => ({ data, isWrapped: false });

/** Creates a result for the model that has only text. Structured content would repeat the same tool description. */
const textOnly = (data: unknown): Outcome => ({ data, isWrapped: false, isTextOnly: true });

/**
 * Reads a required string from the input of a meta tool, which is an MCP tool that finds, describes or executes other
 * tools. Throws invalid_input if the string is missing or empty.
 */
function readText(input: JsonObject, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value !== '') return value;
  const [rule, problem] =
    value === undefined ? ['required', 'is required. Send a string'] : ['type', 'must be a string'];
  throw invalidField(field, rule, `${problem}.`);
}

function describeDefinition({ $defs = {} }: JsonSchema, definition: string): Outcome {
  const schema = Object.hasOwn($defs, definition) ? $defs[definition] : undefined;
  if (schema === undefined) {
    const names = Object.keys($defs).join(', ') || 'none';
    return failure(
      'invalid_input',
      `The input schema of the tool has no definition "${cutText(definition, 100)}". Use one of these definitions: ${names}.`,
    );
  }
  return textOnly({ definition, schema: boundedSchema({ ...schema, $defs }, MAX_DESCRIBED_CHARACTERS) });
}

const firstSentence = (text: string): string => FIRST_SENTENCE.exec(text)?.[0] ?? text;

export function createDispatchCall({ callTool, describeTool, jobs, recordRefused }: DispatchCallParts) {
  function searchTools({ search, tools }: Toolset, input: JsonObject): Outcome {
    const query = cutText(readText(input, 'query'), MAX_QUERY_CHARACTERS);
    const { limit } = input;
    const most =
      typeof limit === 'number' && limit >= 1 ? Math.min(Math.floor(limit), MAX_MATCHES) : DEFAULT_MATCHES;
    const matches = search(query, most).flatMap((name) => {
      const tool = tools.get(name);
      if (tool === undefined) return [];
      const { title, description } = describeTool(tool).whole;
      return [{ name, title, description: firstSentence(description) }];
    });
    return success({ tools: matches, ...(matches.length === 0 && { hint: NO_MATCHES }) });
  }

  function describe(toolset: Toolset, input: JsonObject): Outcome {
    const { tools, connections } = toolset;
    const name = readText(input, 'name');
    const tool = tools.get(name);
    if (tool === undefined) throw noTool(name, toolset);
    const { whole, accountInput } = describeTool(tool);
    const { inputSchema, outputSchema = {}, ...common } = whole;
    if (input['include_output'] === true)
      return textOnly({ name, outputSchema: boundedOutput(outputSchema, MAX_DESCRIBED_CHARACTERS) });
    const { definition } = input;
    const toolAccounts = { accountInput, accounts: connections.get(tool.connector) ?? [] };
    const [wanted, from = '0'] = String(definition).split(' ');
    if (wanted === accountInput && toolAccounts.accounts.length > 1 && /^\d{1,6}$/.test(from))
      return textOnly(listAccounts(toolAccounts, Number(from)));
    if (definition !== undefined) return describeDefinition(inputSchema, String(definition));
    const example = tool.examples[0]?.input;
    const rest = { ...common, ...(example && { example }) };
    const most = MAX_DESCRIBED_CHARACTERS - escapedLength(rest);
    const left = most - escapedLength(boundedSchema(inputSchema, 0));
    const described = withAccounts(whole, toolAccounts, Math.min(left, MAX_ACCOUNTS_CHARACTERS));
    return textOnly({ ...rest, inputSchema: boundedSchema(described.inputSchema, most) });
  }

  async function callByName({ input, ...agentCall }: AgentCall): Promise<Outcome> {
    const name = readText(input, 'name');
    const tool = agentCall.toolset.tools.get(name);
    if (tool === undefined) throw noTool(name, agentCall.toolset);
    const given = input['arguments'] ?? {};
    if (!isJsonObject(given))
      throw invalidField('arguments', 'type', 'is not an object. Send the input of the tool as an object.');
    // `callTool` validates `arguments` with the tool's own schema, as it does for a direct call.
    return callTool(tool, { ...agentCall, input: given });
  }

  function getJob({ toolset, input, onProgress }: AgentCall): Promise<Outcome> {
    const { identifier, presented, tools, connections } = toolset;
    const owner = { applicationId: presented.applicationId, identifier };
    return jobs.get(readText(input, 'job_id'), owner, {
      onProgress,
      maySee: ({ toolName, connectionName, account = '' }) => {
        const tool = tools.get(toolName);
        const choices = connections.get(tool?.connector ?? '') ?? [];
        return choices.some(
          (one) => one.connectionName === connectionName && (one.account ?? '') === account,
        );
      },
    });
  }

  const META: Readonly<Record<MetaTool, (agentCall: AgentCall) => Outcome | Promise<Outcome>>> = {
    search_tools: ({ toolset, input }) => searchTools(toolset, input),
    describe_tool: ({ toolset, input }) => describe(toolset, input),
    call_tool: callByName,
    get_job: getJob,
  };

  /** Records a tool call that the service refuses without running a tool, such as one with an unknown tool name. */
  function refuse(
    { apiRequest, input, isDry, toolset }: AgentCall,
    error: ServiceError,
    name = input['name'],
  ): void {
    const { identifier } = toolset;
    if (!isDry)
      recordRefused(apiRequest, error, { toolName: typeof name === 'string' ? name : undefined, identifier });
  }

  async function callMetaTool(name: MetaTool, agentCall: AgentCall): Promise<Outcome> {
    try {
      const known = Object.keys(META_TOOLS[name].inputSchema.properties);
      const unknown = Object.keys(agentCall.input).find((field) => !known.includes(field));
      if (unknown !== undefined)
        throw invalidInput(
          unknown,
          'additionalProperties',
          `The input "${unknown}" is unknown. Use only ${known.join(', ')}.`,
        );
      const input = readLoosely(agentCall.input, META_TOOLS[name].inputSchema);
      return await META[name]({ ...agentCall, input: isJsonObject(input) ? input : agentCall.input });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (name === 'call_tool') refuse(agentCall, error);
      return failure(error.code, error.message);
    }
  }

  /** Runs the tool that an MCP client calls by name. Resolves to `undefined` if the client has no tool of this name. */
  async function dispatchCall(name: string, agentCall: AgentCall): Promise<Outcome | undefined> {
    const { listedNames, tools } = agentCall.toolset;
    if (isMetaTool(name) && listedNames.has(name)) return callMetaTool(name, agentCall);
    // A client may call a tool by its own name, even if `tools/list` returned only `search_tools`, `describe_tool` and
    // `call_tool`.
    const tool = tools.get(name);
    if (tool) return callTool(tool, agentCall);
    refuse(agentCall, noTool(name, agentCall.toolset), name);
    return undefined;
  }

  return dispatchCall;
}

export type DispatchCall = ReturnType<typeof createDispatchCall>;
