import { z } from 'zod';
import { failedResult, type McpTool, mcpTool } from '../../mcp/tool.js';
import { type Actor, fullName, inputSchemaOf } from './actor.js';
import { findActor, searchActors } from './actors.js';
import { offset, READS, structured } from './inputs.js';

type DocSource = 'apify' | 'crawlee-js' | 'crawlee-py';

interface Doc {
  readonly source: DocSource;
  readonly url: string;
  readonly content: string;
}

const PLATFORM = 'https://docs.apify.com/platform';
const CRAWLEE = 'https://crawlee.dev';

const DOCS: readonly Doc[] = [
  ...'actors/running actors/running/runs-and-builds storage/dataset storage/request-queue proxy'
    .split(' ')
    .map((path) => platformPage(path)),
  ...['quick-start', 'guides/request-storage', 'guides/proxy-management'].map((path) =>
    crawleePage('crawlee-js', path),
  ),
  ...['introduction', 'guides/storages', 'guides/proxy-management'].map((path) =>
    crawleePage('crawlee-py', path),
  ),
];

function platformPage(path: string): Doc {
  const topic = path.split('/').at(-1)?.replaceAll('-', ' ');
  const content = `# About ${topic}\n\nHow the platform handles ${topic}: runs, storages and limits.`;
  return { source: 'apify', url: `${PLATFORM}/${path}`, content };
}

function crawleePage(source: 'crawlee-js' | 'crawlee-py', path: string): Doc {
  const language = source === 'crawlee-js' ? 'JavaScript' : 'Python';
  const topic = path.split('/').at(-1)?.replaceAll('-', ' ');
  const content = `# ${topic}\n\n${topic} with Crawlee for ${language}.`;
  return { source, url: `${CRAWLEE}/${source.slice('crawlee-'.length)}/docs/${path}`, content };
}

const HOSTS = ['docs.apify.com', 'crawlee.dev'];

const isDocsUrl = (url: string): boolean => URL.canParse(url) && HOSTS.includes(new URL(url).host);

const findDoc = (url: string): Doc | undefined => DOCS.find((doc) => doc.url === url.split('#')[0]);

function searchDocs(source: DocSource, query: string): readonly Doc[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return DOCS.filter(
    (doc) =>
      doc.source === source && words.some((word) => `${doc.url} ${doc.content}`.toLowerCase().includes(word)),
  );
}

const MODIFIED = '2026-10-01T08:00:00.000Z';

function actorCard(actor: Actor) {
  const { username, title, id, description, categories, totalUsers } = actor;
  return {
    title,
    url: `https://apify.com/${fullName(actor)}`,
    id,
    fullName: fullName(actor),
    developer: { username, isOfficialApify: username === 'apify', url: `https://apify.com/${username}` },
    description,
    categories,
    pricing: { model: 'PAY_PER_PLATFORM_USAGE', isFree: true },
    stats: { totalUsers, monthlyUsers: Math.round(totalUsers / 12), bookmarks: Math.round(totalUsers / 50) },
    rating: { average: 4.5, count: Math.round(totalUsers / 200) },
    modifiedAt: MODIFIED,
    isDeprecated: false,
  };
}

const OUTPUT_FLAGS = [
  'description',
  'stats',
  'pricing',
  'rating',
  'metadata',
  'inputSchema',
  'readme',
  'outputSchema',
  'mcpTools',
] as const;
type OutputFlag = (typeof OUTPUT_FLAGS)[number];

function actorDetails(actor: Actor, isRequested: (flag: OutputFlag) => boolean) {
  const { description, stats, pricing, rating, modifiedAt, isDeprecated, ...card } = actorCard(actor);
  return {
    actorInfo: {
      ...card,
      ...(isRequested('description') && { description }),
      ...(isRequested('stats') && { stats }),
      ...(isRequested('pricing') && { pricing }),
      ...(isRequested('rating') && { rating }),
      ...(isRequested('metadata') && { modifiedAt, isDeprecated }),
    },
    ...(isRequested('readme') && { readme: actor.readme }),
    ...(isRequested('inputSchema') && { inputSchema: inputSchemaOf(actor) }),
    ...(isRequested('outputSchema') && { outputSchema: { type: 'object', properties: {} } }),
    ...(isRequested('mcpTools') && { mcpTools: (actor.tools ?? []).map(({ name }) => ({ name })) }),
  };
}

interface Generation {
  readonly maxActors: number;
  /** Output parts that a response omits if the caller requests no specific output. */
  readonly silentFlags: readonly OutputFlag[];
}

/**
 * Builds the MCP tools that search and describe actors (programs in the upstream's store), and the tools that read the
 * upstream's documentation. The tools differ little between the versions of the upstream's MCP server.
 */
export const catalogueTools = (generation: Generation): readonly McpTool[] => [
  searchActorsTool(generation),
  actorDetailsTool(generation),
  searchDocsTool,
  fetchDocTool,
];

const searchActorsTool = ({ maxActors }: Generation): McpTool =>
  mcpTool({
    name: 'search-actors',
    description: 'Searches the store for actors.',
    input: z.object({
      keywords: z.string().default(''),
      limit: z.int().min(1).max(maxActors).default(5),
      offset,
    }),
    annotations: READS,
    run({ keywords, limit, offset: skipped }) {
      const actors = searchActors(keywords)
        .slice(skipped, skipped + limit)
        .map(actorCard);
      const instructions = 'Use fetch-actor-details for the input schema of an actor.';
      return structured({ actors, query: keywords, count: actors.length, userTier: 'FREE', instructions });
    },
  });

const flags = z.object(
  Object.fromEntries(OUTPUT_FLAGS.map((flag) => [flag, z.boolean().optional()])) as Record<
    OutputFlag,
    z.ZodOptional<z.ZodBoolean>
  >,
);

const actorDetailsTool = ({ silentFlags }: Generation): McpTool =>
  mcpTool({
    name: 'fetch-actor-details',
    description: 'Gives what there is to know of an actor.',
    input: z.object({ actor: z.string().min(1), output: flags.optional() }),
    annotations: READS,
    run({ actor: name, output = {} }) {
      const actor = findActor(name);
      if (actor === undefined) return failedResult(`Actor ${name} was not found.`);
      const isSilent = Object.keys(output).length === 0;
      const isRequested = (flag: OutputFlag) =>
        isSilent ? !silentFlags.includes(flag) : output[flag] === true;
      return structured(actorDetails(actor, isRequested));
    },
  });

const searchDocsTool = mcpTool({
  name: 'search-apify-docs',
  description: 'Searches the documentation.',
  input: z.object({
    query: z.string().min(1),
    docSource: z.enum(['apify', 'crawlee-js', 'crawlee-py']).default('apify'),
    limit: z.number().int().min(1).max(20).default(5),
    offset,
  }),
  annotations: READS,
  run({ query, docSource, limit, offset: skipped }) {
    const results = searchDocs(docSource, query)
      .slice(skipped, skipped + limit)
      .map(({ url, content }) => ({ url, content }));
    return structured({ results, instructions: 'Use fetch-apify-docs for a whole page.' });
  },
});

const fetchDocTool = mcpTool({
  name: 'fetch-apify-docs',
  description: 'Gives a page of the documentation.',
  input: z.object({ url: z.string() }),
  annotations: READS,
  run({ url }) {
    if (!isDocsUrl(url)) return failedResult(`${url} is not a page of docs.apify.com or crawlee.dev.`);
    const doc = findDoc(url);
    return doc === undefined
      ? failedResult(`Failed to fetch ${url}: 404`)
      : structured({ url: doc.url, content: doc.content });
  },
});
