import type { Connector } from './connector.js';
import { type Report, reportWithin } from './file-report.js';
import type { Tool } from './tool.js';

type Upstream = Pick<Connector, 'hosts' | 'mcp'>;

/** Checks what a tool's versions and examples say about their connector. */
export function checkUpstream({ versions, examples }: Tool, { hosts, mcp }: Upstream, report: Report): void {
  const checkHost = (host: string | undefined, within: Report) => {
    if (host !== undefined && !Object.hasOwn(hosts, host))
      within(['host'], `"${host}" is not one of the connector's hosts`);
  };
  for (const [index, { request, mcp: call }] of versions.entries()) {
    checkHost(request?.host, reportWithin(report, 'versions', index, 'request'));
    if (call !== undefined && mcp === undefined)
      report(['versions', index, 'mcp'], 'the connector.json does not say in mcp where its MCP endpoint is');
  }
  for (const [index, { request, requests = [] }] of examples.entries()) {
    checkHost(request?.host, reportWithin(report, 'examples', index, 'request'));
    for (const [at, sent] of requests.entries())
      checkHost(sent.host, reportWithin(report, 'examples', index, 'requests', at));
  }
}
