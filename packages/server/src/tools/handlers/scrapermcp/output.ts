import { mcpData } from '@svc/catalog';
import type { Mcp } from '../../handler.js';
import { type Json, listIn } from '../json.js';
import { cutNote, itemsThatFit } from './cut.js';
import { type ScraperServer, structuredIn, withoutAdvice } from './server.js';

export interface OutputRequest {
  readonly datasetId: string;
  readonly limit: number;
  readonly offset: number;
  readonly fields?: string | undefined;
}

/**
 * Reads one page of the result items (the dataset) of a run of a scraping program, shortened to the maximum size of a
 * tool result.
 */
export async function readOutput(
  { datasetId, limit, offset, fields }: OutputRequest,
  { mcp, server: { outputTool } }: { mcp: Mcp; server: ScraperServer },
): Promise<Json> {
  const result = await mcp.call(outputTool, {
    datasetId,
    limit,
    offset,
    ...(fields !== undefined && { fields }),
    // `clean` omits empty and hidden fields of the dataset items. The MCP tool `get-actor-output` omits them by
    // default, but `get-dataset-items` does not.
    ...(outputTool === 'get-dataset-items' && { clean: true }),
  });
  const output = structuredIn(result);
  if (output === undefined) return mcpData(result);
  const all = listIn(output, 'items');
  const items = itemsThatFit(all);
  const isCut = items.length < all.length;
  return {
    datasetId,
    ...withoutAdvice(output),
    items,
    itemCount: items.length,
    ...(isCut && { note: cutNote(datasetId, { from: offset, included: items.length }) }),
  };
}
