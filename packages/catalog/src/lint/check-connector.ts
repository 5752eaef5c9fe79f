import type { ConnectorFile, Inject, Route } from '../connector.js';
import { checkHeaders } from './check-headers.js';
import { type Report, reportWithin } from './file-report.js';

/** Checks a connector.json for contradictions between its parts, such as a host with an undeclared credential. */
export function checkConnector(connector: ConnectorFile, report: Report): void {
  checkCredentials(connector, report);
  if (connector.auth.type === 'mcp_oauth' && connector.mcp === undefined)
    report(['auth', 'type'], '"mcp_oauth" needs an MCP endpoint; add "mcp", or change "type"');
  checkAddresses(connector, report);
  checkSent(connector, report);
  checkScopes(connector, report);
  checkVerify(connector, report);
  checkIdentity(connector, report);
  for (const [
    index,
    { status, body, present, endsCredential, rejectsInput, demandsScope },
  ] of connector.errors.entries()) {
    if (endsCredential && status !== 401 && status !== 403)
      report(
        ['errors', index],
        '"endsCredential" needs the status 401 or 403; change "status", or delete "endsCredential"',
      );
    if (demandsScope && connector.auth.type !== 'oauth2')
      report(
        ['errors', index],
        '"demandsScope" needs "oauth2" as "auth.type"; change the type, or delete "demandsScope"',
      );
    if (rejectsInput && status >= 500)
      report(
        ['errors', index],
        '"rejectsInput" needs a status below 500; change "status", or delete "rejectsInput"',
      );
    if (status < 300 && body === undefined && present === undefined)
      report(
        ['errors', index],
        'this rule makes every response with its status an error; add "body" or "present"',
      );
  }
  const hosts = Object.keys(connector.hosts);
  for (const [index, route] of (connector.proxy?.routes ?? []).entries())
    checkRoute(route, hosts, reportWithin(report, 'proxy', 'routes', index));
}

function checkCredentials({ auth, hosts }: ConnectorFile, report: Report): void {
  const credentials = 'credentials' in auth ? auth.credentials.map(({ name }) => name) : [];
  for (const [name, { credential }] of Object.entries(hosts)) {
    if (credential !== undefined && !credentials.includes(credential))
      report(
        ['hosts', name, 'credential'],
        `"${credential}" is not declared in "auth.credentials"; add it there`,
      );
  }
  const used = Object.values(hosts).map(({ credential }) => credential);
  for (const [index, name] of credentials.entries()) {
    const path = ['auth', 'credentials', index];
    if (!used.includes(name))
      report(path, `no host uses the credential "${name}"; use it in "hosts", or delete it`);
    if (credentials.indexOf(name) < index)
      report(path, `the credential "${name}" is declared twice; delete one`);
  }
}

/**
 * Returns the names of the credentials that a connector's `verify` requests test. The name `undefined` means the
 * account's main credential.
 */
const triedBy = ({ verify = [], hosts }: ConnectorFile): readonly (string | undefined)[] =>
  verify.map(({ host }) => (host === undefined ? undefined : hosts[host]?.credential));

function checkVerify(connector: ConnectorFile, report: Report): void {
  const { verify = [], hosts } = connector;
  const tried = triedBy(connector);
  for (const [index, { host }] of verify.entries()) {
    const path = ['verify', index];
    if (host !== undefined && hosts[host] === undefined)
      report([...path, 'host'], `"${host}" is not declared in "hosts"; add it there`);
    else if (tried.indexOf(tried[index]) < index)
      report(path, 'another request tests the same credential; delete one of them');
  }
}

function checkIdentity(connector: ConnectorFile, report: Report): void {
  const { identity, auth } = connector;
  if (identity === undefined) return;
  const path = ['identity', 'from'];
  if (identity.from === 'verify' && (!triedBy(connector).includes(undefined) || !('credentials' in auth)))
    report(
      path,
      '"verify" needs keys in "auth", and a request in the list "verify" that sends the credential of the account; add that request, or change "from"',
    );
  if (identity.from === 'token_response' && auth.type !== 'oauth2')
    report(path, '"token_response" needs "oauth2" as "auth.type"; change one of them');
  if (identity.from === 'id_token' && (auth.type !== 'oauth2' || auth.subjectClaim === undefined))
    report(
      path,
      '"id_token" needs "oauth2" as "auth.type", and "auth.subjectClaim"; add them, or change "from"',
    );
}

function checkRoute({ path, to, host }: Route, hosts: readonly string[], report: Report): void {
  if (host !== undefined && !hosts.includes(host))
    report(['host'], `"${host}" is not declared in "hosts"; add it there`);
  if (to !== undefined && to.endsWith('/') !== path.endsWith('/'))
    report(['to'], '"path" and "to" must both end with "/", or neither; change one of them');
}

const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'] as const;

function checkAddresses({ baseUrl, regions = {}, hosts, auth }: ConnectorFile, report: Report): void {
  checkBase(baseUrl, reportWithin(report, 'baseUrl'));
  for (const [name, region] of Object.entries(regions))
    checkBase(region, reportWithin(report, 'regions', name));
  for (const [name, host] of Object.entries(hosts))
    checkBase(host.baseUrl, reportWithin(report, 'hosts', name, 'baseUrl'));
  if (auth.type !== 'oauth2') return;
  for (const name of ENDPOINTS) checkAddress(auth[name], reportWithin(report, 'auth', name));
}

function checkBase(address: string, report: Report): void {
  const { search = '', hash = '' } = checkAddress(address, report) ?? {};
  if (search + hash !== '') report([], 'a base URL must not contain "?" or "#"; delete that part');
}

/** Checks a URL of connector.json and returns it parsed. Undefined if the URL is absent or malformed. */
function checkAddress(address: string | undefined, report: Report): URL | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return undefined;
  if (!['https:', 'http:'].includes(url.protocol)) report([], 'the URL must begin with https://');
  if (url.username + url.password !== '')
    report([], 'the URL contains a credential; delete it, and describe in "auth" how to send it');
  return url;
}

/** Checks the headers that a connector adds to upstream requests: constant headers, and headers with a credential. */
function checkSent({ headers, hosts, auth }: ConnectorFile, report: Report): void {
  checkHeaders(headers, reportWithin(report, 'headers'));
  checkInject(auth.inject, reportWithin(report, 'auth', 'inject'));
  if (auth.type === 'oauth2')
    checkHeaders(auth.tokenRequest.headers, reportWithin(report, 'auth', 'tokenRequest', 'headers'));
  for (const [name, host] of Object.entries(hosts)) {
    const within = reportWithin(report, 'hosts', name);
    checkHeaders(host.headers, reportWithin(within, 'headers'));
    if (host.inject !== undefined) checkInject(host.inject, reportWithin(within, 'inject'));
  }
}

function checkInject(inject: Inject, report: Report): void {
  if ('header' in inject) checkHeaders({ [inject.header]: inject.value }, report);
  else if ('value' in inject)
    report(['value'], '"value" needs the name of a header; add "header", or delete "value"');
}

function checkScopes({ auth }: ConnectorFile, report: Report): void {
  const scopes = 'scopes' in auth ? auth.scopes : [];
  const names = scopes.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      report(['auth', 'scopes', index], `the scope "${name}" is declared twice; delete one`);
  }
  const isRequested = scopes.some((scope) => scope.name === 'openid' && scope.default);
  if (auth.type === 'oauth2' && auth.subjectClaim !== undefined && !isRequested)
    report(
      ['auth', 'subjectClaim'],
      '"subjectClaim" needs the scope "openid"; add it to "auth.scopes" with "default": true',
    );
}
