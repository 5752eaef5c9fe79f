import { mcpData } from '@svc/catalog';
import type { Mcp } from '../../handler.js';
import { type Json, listIn } from '../workspace/json.js';
import { readServer, structuredIn, withoutAdvice } from './server.js';

export interface ActorSearch {
  readonly keywords?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Searches actors, in as many requests as the server needs for the limit. */
export async function searchActors({ keywords, limit, offset }: ActorSearch, mcp: Mcp): Promise<Json> {
  const { searchLimit } = await readServer(mcp);
  const actors: unknown[] = [];
  let last: Json = {};
  while (actors.length < limit) {
    const asked = Math.min(searchLimit, limit - actors.length);
    const result = await mcp.call('search-actors', {
      ...(keywords !== undefined && { keywords }),
      limit: asked,
      offset: offset + actors.length,
    });
    const answer = structuredIn(result);
    if (answer === undefined) return mcpData(result);
    const page = listIn(answer, 'actors');
    actors.push(...page);
    last = withoutAdvice(answer);
    if (page.length < asked) break;
  }
  return { ...last, actors, count: actors.length };
}
