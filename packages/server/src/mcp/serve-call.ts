import type { Catalog, JsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Answer, Failed } from './answer.js';
import type { CallTool, ToolCalling } from './call-tool.js';
import type { Jobs } from './jobs.js';
import { isMetaTool, META_TOOLS, type MetaTool } from './meta-tools.js';
import type { Surface } from './surface.js';
import { type DescribeTool, withAccounts } from './wire-tool.js';

export interface ServeCallParts {
  readonly catalog: Catalog;
  readonly callTool: CallTool;
  readonly describeTool: DescribeTool;
  readonly jobs: Jobs;
}

/** What comes of a call by its name; `undefined` where the caller has no such tool. */
export type ServeCall = (name: string, calling: ToolCalling) => Promise<Answer | undefined>;

const DEFAULT_FOUND = 5;
const MOST_FOUND = 20;
const MOST_QUERY = 1000;
const NOTHING_FOUND =
  'No tool that you have fits these words. Say what is to be done in other ones, such as "list events"; what you find nothing for you may not do.';
/** Where a description of many sentences begins to tell details. */
const FIRST_SENTENCE = /^.*?[.!?](?=\s|$)/s;

const failed = (code: Failed['code'], message: string): Failed => ({
  code,
  text: `${code}: ${message}`,
  isRetryable: false,
});

const noTool = (name: string, { isBehind }: Surface): Failed => {
  const where = isBehind ? 'search_tools finds those that you have.' : 'The list holds those that you have.';
  return failed('tool_not_found', `You have no tool ${JSON.stringify(name)}. ${where}`);
};

const done = (data: unknown): Answer => ({ data, isWrapped: false });

/** A text of the input. Throws invalid_input. */
function readText(input: JsonObject, field: string): string {
  const value = input[field];
  if (typeof value === 'string' && value !== '') return value;
  const [rule, wish] =
    value === undefined ? ['required', 'is required: give a text'] : ['type', 'must be a text'];
  const message = `"${field}" ${wish}.`;
  throw new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });
}

const firstSentence = (text: string): string => FIRST_SENTENCE.exec(text)?.[0] ?? text;

export function createServeCall({ catalog, callTool, describeTool, jobs }: ServeCallParts): ServeCall {
  function searchTools({ search, tools }: Surface, input: JsonObject): Answer {
    const query = readText(input, 'query').slice(0, MOST_QUERY);
    const { limit } = input;
    const most =
      typeof limit === 'number' && limit >= 1 ? Math.min(Math.floor(limit), MOST_FOUND) : DEFAULT_FOUND;
    const found = search(query, most).flatMap((name) => {
      const tool = tools.get(name);
      return tool ? [{ name, title: tool.title, description: firstSentence(tool.description) }] : [];
    });
    return done({ tools: found, ...(found.length === 0 && { hint: NOTHING_FOUND }) });
  }

  function describe(surface: Surface, input: JsonObject): Answer {
    const { tools, reach } = surface;
    const name = readText(input, 'name');
    const tool = tools.get(name);
    if (tool === undefined) return noTool(name, surface);
    const { whole, accountInput } = describeTool(tool);
    const example = tool.examples[0]?.input;
    const described = withAccounts(whole, accountInput, reach.get(tool.connector) ?? []);
    return done({ ...described, ...(example && { example }) });
  }

  async function callByName({ input, ...calling }: ToolCalling): Promise<Answer> {
    const name = readText(input, 'name');
    const tool = calling.surface.tools.get(name);
    if (tool === undefined) return noTool(name, calling.surface);
    const given = input['arguments'] ?? {};
    if (typeof given !== 'object' || Array.isArray(given))
      return failed('invalid_input', '"arguments" must be an object.');
    // Checked by the tool's own schema like any other input.
    return callTool(tool, { ...calling, input: given as JsonObject });
  }

  function getJob({ surface, input, onProgress }: ToolCalling): Promise<Answer> {
    const { identifier, shown, tools, reach } = surface;
    const owner = { applicationId: shown.applicationId, identifier };
    return jobs.get(readText(input, 'job_id'), owner, {
      onProgress,
      maySee: ({ toolName, connectionName }) => {
        const tool = tools.get(toolName);
        return tool !== undefined && (reach.get(tool.connector) ?? []).includes(connectionName);
      },
    });
  }

  const META: Readonly<Record<MetaTool, (calling: ToolCalling) => Answer | Promise<Answer>>> = {
    search_tools: ({ surface, input }) => searchTools(surface, input),
    describe_tool: ({ surface, input }) => describe(surface, input),
    call_tool: callByName,
    get_job: getJob,
  };

  async function serveMeta(name: MetaTool, calling: ToolCalling): Promise<Answer> {
    const known = Object.keys(META_TOOLS[name].inputSchema.properties);
    const unknown = Object.keys(calling.input).find((field) => !known.includes(field));
    if (unknown !== undefined)
      return failed('invalid_input', `"${unknown}" is not known here; known are ${known.join(', ')}.`);
    try {
      return await META[name](calling);
    } catch (error) {
      if (error instanceof ServiceError) return failed(error.code, error.message);
      throw error;
    }
  }

  return async (name, calling) => {
    const { listed, tools } = calling.surface;
    if (isMetaTool(name) && listed.has(name)) return serveMeta(name, calling);
    const tool = catalog.tools.get(name);
    // Tools that stand behind meta tools may be called by their own names too.
    return tool && tools.has(name) ? callTool(tool, calling) : undefined;
  };
}
