import { mcpData } from '@svc/catalog';
import type { Mcp } from '../../handler.js';
import { type Json, listIn } from '../workspace/json.js';
import { cutNote, itemsThatFit } from './cut.js';
import { type ScraperServer, structuredIn, withoutAdvice } from './server.js';

export interface OutputRequest {
  readonly datasetId: string;
  readonly limit: number;
  readonly offset: number;
  readonly fields?: string | undefined;
}

/** A page of a dataset, cut to what a result may hold. */
export async function readOutput(
  { datasetId, limit, offset, fields }: OutputRequest,
  { mcp, server: { outputTool } }: { mcp: Mcp; server: ScraperServer },
): Promise<Json> {
  const result = await mcp.call(outputTool, {
    datasetId,
    limit,
    offset,
    ...(fields !== undefined && { fields }),
    // The older tool leaves empty and hidden fields out by itself.
    ...(outputTool === 'get-dataset-items' && { clean: true }),
  });
  const answer = structuredIn(result);
  if (answer === undefined) return mcpData(result);
  const all = listIn(answer, 'items');
  const items = itemsThatFit(all);
  const isCut = items.length < all.length;
  return {
    datasetId,
    ...withoutAdvice(answer),
    items,
    itemCount: items.length,
    ...(isCut && { note: cutNote(datasetId, { from: offset, kept: items.length }) }),
  };
}
