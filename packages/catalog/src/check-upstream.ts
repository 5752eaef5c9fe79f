import type { Connector } from './connector.js';
import { type Report, reportWithin } from './file-report.js';
import { requestsOf, type Tool } from './tool.js';

type Upstream = Pick<Connector, 'auth' | 'hosts' | 'mcp'>;

/** Checks what a tool's versions and examples say about their connector. */
export function checkUpstream(tool: Tool, upstream: Upstream, report: Report): void {
  const { versions, examples } = tool;
  const { hosts, mcp } = upstream;
  checkScopes(tool, upstream, report);
  const checkHost = (host: string | undefined, within: Report) => {
    if (host !== undefined && !Object.hasOwn(hosts, host))
      within(['host'], `"${host}" is not one of the connector's hosts`);
  };
  for (const [index, version] of versions.entries()) {
    for (const [at, { host }] of requestsOf(version).entries()) {
      const place = version.requests === undefined ? ['request'] : ['requests', at];
      checkHost(host, reportWithin(report, 'versions', index, ...place));
    }
    const { mcp: call } = version;
    if (call !== undefined && mcp === undefined)
      report(['versions', index, 'mcp'], 'the connector.json does not say in mcp where its MCP endpoint is');
  }
  for (const [index, { request, requests = [] }] of examples.entries()) {
    checkHost(request?.host, reportWithin(report, 'examples', index, 'request'));
    for (const [at, sent] of requests.entries())
      checkHost(sent.host, reportWithin(report, 'examples', index, 'requests', at));
  }
}

function checkScopes({ scopes }: Tool, { auth }: Upstream, report: Report): void {
  const known = 'scopes' in auth ? auth.scopes.map(({ name }) => name) : [];
  for (const [index, scope] of scopes.entries()) {
    if (!known.includes(scope)) report(['scopes', index], `"${scope}" is not one of the connector's scopes`);
  }
}
