import type { Operation } from '../support/battery.js';

interface Called {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  /** Result field of servers that implement the first MCP revision. */
  readonly toolResult?: unknown;
}

/** Operations that both official MCP clients support. */
export interface Speaker {
  readonly connect: () => Promise<void>;
  readonly serverName: () => string | undefined;
  readonly ping: () => Promise<unknown>;
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (name: string, input: Record<string, unknown>) => Promise<Called>;
  /** Returns the number of progress notifications during the last call. */
  readonly progress: () => number;
  readonly end: () => Promise<void>;
}

export type SpeakerOperation = Operation<Speaker>;

/** Operations of clients that open a new connection for each call. */
export type ToolClient = Pick<Speaker, 'listTools' | 'callTool'>;
export type ToolOperation = Operation<ToolClient>;

const names = async (speaker: ToolClient) => (await speaker.listTools()).tools.map(({ name }) => name);

export const scraperOperations: readonly ToolOperation[] = [
  {
    name: 'listTools',
    call: async (speaker) => ({ isListed: (await names(speaker)).includes('call-actor') }),
    gives: { isListed: true },
  },
  {
    name: 'callTool, a search',
    call: (speaker) => speaker.callTool('search-actors', { keywords: 'browser', limit: 2 }),
    gives: { structuredContent: { query: 'browser' } },
  },
  {
    name: 'callTool, what fails',
    call: (speaker) => speaker.callTool('fetch-actor-details', { actor: 'apify/nothing' }),
    gives: { isError: true },
  },
];

export const scraping: readonly SpeakerOperation[] = [
  {
    name: 'connect',
    call: async (speaker) => {
      await speaker.connect();
      return { server: speaker.serverName() };
    },
    gives: { server: 'apify-mcp-server' },
  },
  { name: 'ping', call: (speaker) => speaker.ping(), gives: {} },
  ...scraperOperations,
  {
    name: 'callTool, with progress',
    call: async (speaker) => {
      const { isError } = await speaker.callTool('call-actor', {
        actor: 'apify/rag-web-browser',
        input: { query: 'a' },
        waitSecs: 10,
      });
      return { isError: isError === true, hasProgress: speaker.progress() > 0 };
    },
    gives: { isError: false, hasProgress: true },
  },
  {
    name: 'callTool, none such',
    call: (speaker) => speaker.callTool('no-such-tool', {}),
    throws: { code: -32602 },
  },
  {
    name: 'callTool, without what it needs',
    call: (speaker) => speaker.callTool('call-actor', {}),
    throws: { code: -32602 },
  },
  { name: 'end', call: (speaker) => speaker.end() },
];

export const notesOperations: readonly ToolOperation[] = [
  {
    name: 'listTools',
    call: async (speaker) => ({ isListed: (await names(speaker)).includes('list_meetings') }),
    gives: { isListed: true },
  },
  {
    name: 'callTool, a list',
    call: async (speaker) => ({
      hasMeetings: JSON.stringify((await speaker.callTool('list_meetings', {})).content).includes(
        'meetings_data',
      ),
    }),
    gives: { hasMeetings: true },
  },
  {
    name: 'callTool, an id that is none',
    call: (speaker) =>
      speaker.callTool('get_meetings', { meeting_ids: ['00000000-0000-4000-8000-000000000000'] }),
  },
];

export const notes: readonly SpeakerOperation[] = [
  {
    name: 'connect',
    call: async (speaker) => {
      await speaker.connect();
      return { server: speaker.serverName() };
    },
    gives: { server: 'Granola' },
  },
  { name: 'ping', call: (speaker) => speaker.ping(), gives: {} },
  ...notesOperations,
  { name: 'end', call: (speaker) => speaker.end() },
];
