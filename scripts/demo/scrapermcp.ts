import type { Client, ConnectedAccount } from '@svc/core';
import { scrapermcp } from '@svc/scrapermcp';
import { check, say } from './transcript.ts';

/** Demo of the scraping connector: an MCP server with a bearer token, and tool calls that take long. */
export async function demoScraping(svc: Client, account: ConnectedAccount): Promise<void> {
  const tools = scrapermcp(svc, account);
  const { data: search } = await tools.searchActors({ keywords: 'web browser', limit: 3 });
  say(
    'tool   searchActors',
    search.actors?.map(({ fullName, title }) => fullName ?? title),
  );
  const { data: run } = await tools.callActor({
    actor: 'apify/rag-web-browser',
    input: { query: 'https://example.com' },
    async: true,
  });
  say('tool   callActor, at once', { runId: run.runId });
  const { data: state } = await tools.getActorRun({ runId: run.runId ?? '' });
  say('tool   getActorRun', { status: state.status, datasetId: state.datasetId });
  const { data: pages } = await tools.ragWebBrowser({ query: 'https://example.com', maxResults: 1 });
  say('tool   ragWebBrowser', pages.items?.length);
  check('the requested page came back', (pages.items?.length ?? 0) > 0);
}
