import type { Connector, Route } from './connector.js';
import { type Report, reportWithin } from './file-report.js';

/** Checks what the parts of a connector.json say about each other. */
export function checkConnector(connector: Omit<Connector, 'types' | 'tools'>, report: Report): void {
  checkCredentials(connector, report);
  if (connector.auth.type === 'mcp_oauth' && connector.mcp === undefined)
    report(['auth', 'type'], 'mcp_oauth is for MCP servers; say in mcp where its endpoint is');
  const hosts = Object.keys(connector.hosts);
  for (const [index, route] of (connector.proxy?.routes ?? []).entries())
    checkRoute(route, hosts, reportWithin(report, 'proxy', 'routes', index));
}

function checkCredentials({ auth, hosts }: Pick<Connector, 'auth' | 'hosts'>, report: Report): void {
  const credentials = 'credentials' in auth ? auth.credentials.map(({ name }) => name) : [];
  for (const [name, { credential }] of Object.entries(hosts)) {
    if (credential !== undefined && !credentials.includes(credential))
      report(['hosts', name, 'credential'], `"${credential}" is not one of auth.credentials`);
  }
  const used = Object.values(hosts).map(({ credential }) => credential);
  for (const [index, name] of credentials.entries()) {
    const place = ['auth', 'credentials', index];
    if (!used.includes(name)) report(place, `no host gets "${name}"`);
    if (credentials.indexOf(name) < index) report(place, `there is already a credential "${name}"`);
  }
}

function checkRoute({ path, to, host }: Route, hosts: readonly string[], report: Report): void {
  if (host !== undefined && !hosts.includes(host)) report(['host'], `"${host}" is not one of hosts`);
  if (to !== undefined && to.endsWith('/') !== path.endsWith('/'))
    report(
      ['to'],
      'a prefix becomes a prefix and a whole path a whole path: both end with a slash, or neither',
    );
}
