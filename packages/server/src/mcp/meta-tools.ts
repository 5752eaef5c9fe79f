import type { WireTool } from './wire-tool.js';

const text = (description: string) => ({ type: 'string', description });
const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/**
 * Tools of this service that find, describe and call the tools of connectors. They keep long tool lists out of the
 * model's context.
 */
export const META_TOOLS = {
  search_tools: {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Finds tools for a task. Describe the task in a few plain words, such as "cancel a meeting". The best match comes first.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: {
        query: text('The task in a few words.'),
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
      },
    },
    annotations: reads,
  },
  describe_tool: {
    name: 'describe_tool',
    title: 'Describe a tool',
    description:
      'Returns the input schema of a tool, with an example. The schema may name a definition and leave it out: get it with "definition". Get the output schema with "include_output".',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: text('Name of the tool.'),
        definition: text('Name of a definition that the input schema names but leaves out.'),
        include_output: {
          type: 'boolean',
          default: false,
          description: 'True to get the output schema instead of the input schema.',
        },
      },
    },
    annotations: reads,
  },
  call_tool: {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool by name. Its input must match the schema from describe_tool.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: text('Name of the tool.'),
        arguments: { type: 'object', additionalProperties: true, description: 'Input of the tool.' },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  get_job: {
    name: 'get_job',
    title: 'Get a job',
    description: 'Returns the result of a long call that returned a job_id. Waits up to 25 s.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['job_id'],
      properties: { job_id: text('The job_id that the call returned.') },
    },
    annotations: reads,
  },
} as const satisfies Readonly<Record<string, WireTool>>;

export type MetaTool = keyof typeof META_TOOLS;

export const isMetaTool = (name: string): name is MetaTool => Object.hasOwn(META_TOOLS, name);
