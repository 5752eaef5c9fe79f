import type { HandlerContext, McpResult, McpTool, Send } from '../../../src/tools/handler.js';

type Args = Readonly<Record<string, unknown>>;
export interface FakeCall {
  readonly name: string;
  readonly args: Args;
}

export interface FakeScraper {
  readonly context: HandlerContext;
  /** Every MCP tool call, in order. */
  readonly calls: readonly FakeCall[];
  /** Durations of the handler's waits (`sleep`) in milliseconds, in order. */
  readonly pauses: readonly number[];
  readonly names: () => readonly string[];
}

const tool = (name: string, properties: Args): McpTool => ({ name, inputSchema: { properties } });
const WAIT = { waitSecs: { type: 'integer' } };
const ACTOR = { actor: { description: 'For MCP server Actors, use "actorName:toolName".' } };

export const LOG = tool('get-actor-run-log', {});

export const NEWER: readonly McpTool[] = [
  tool('call-actor', { ...WAIT, ...ACTOR }),
  tool('get-actor-run', WAIT),
  tool('get-dataset-items', {}),
  tool('search-actors', { limit: { maximum: 10 } }),
  tool('apify--rag-web-browser', WAIT),
];
export const OLDER: readonly McpTool[] = [
  tool('call-actor', { async: { type: 'boolean' }, ...ACTOR }),
  tool('get-actor-run', {}),
  tool('get-actor-output', {}),
  tool('search-actors', { limit: { maximum: 100 } }),
  tool('apify-slash-rag-web-browser', {}),
];

export const structured = (structuredContent: Args): McpResult => ({
  structuredContent,
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
});

/**
 * Creates the context of a tool handler with a fake MCP server, whose responses `respond` returns. Waiting only
 * advances the fake clock, so tests are fast.
 */
export function fakeScraper(tools: readonly McpTool[], respond: (call: FakeCall) => McpResult): FakeScraper {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const calls: FakeCall[] = [];
  const pauses: number[] = [];
  return {
    calls,
    pauses,
    names: () => calls.map(({ name }) => name),
    context: {
      now: () => new Date(now),
      randomId: () => 'id-1',
      download: async () => Buffer.alloc(0),
      exchange: () => Promise.reject(new Error('The tool reads no headers.')),
      readLink: () => Promise.reject(new Error('The tool opens no link.')),
      takeMemory: () => undefined,
      async sleep(ms) {
        pauses.push(ms);
        now += ms;
      },
      mcp: {
        tools: async () => tools,
        async call(name, args) {
          calls.push({ name, args });
          if (typeof args['waitSecs'] === 'number') now += args['waitSecs'] * 1000;
          return respond({ name, args });
        },
      },
    },
  };
}

export const sendNothing: Send = async () => {
  throw new Error('Nothing is sent here.');
};
