import { z } from 'zod';
import { failedResult, type McpTool, mcpTool } from '../../mcp/tool.js';
import { actorCard, actorDetails, OUTPUT_FLAGS, type OutputFlag } from './actor-card.js';
import { findActor, searchActors } from './actors.js';
import { findDoc, isDocsUrl, searchDocs } from './docs.js';
import { offset, READS, structured } from './inputs.js';

export interface Generation {
  readonly maxActors: number;
  /** What is left out when no output is asked for. */
  readonly silentFlags: readonly OutputFlag[];
}

/** The tools that look things up, which differ little between the generations. */
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
    run({ actor: named, output = {} }) {
      const actor = findActor(named);
      if (actor === undefined) return failedResult(`Actor ${named} was not found.`);
      const isSilent = Object.keys(output).length === 0;
      const asks = (flag: OutputFlag) => (isSilent ? !silentFlags.includes(flag) : output[flag] === true);
      return structured(actorDetails(actor, asks));
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
