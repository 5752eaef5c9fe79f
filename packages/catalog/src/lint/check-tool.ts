import type { Connector } from '../connector.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { bundle, type ReferenceScope } from '../load/references.js';
import { requestsOf, type Tool, type ToolVersion } from '../tool.js';
import { checkBinding, stepsToRequest } from './check-binding.js';
import { checkDescriptions } from './check-names.js';
import { checkPaging } from './check-paging.js';
import { checkInputSchema, checkSchema } from './check-schema.js';
import { checkWatch } from './check-watch.js';
import { type Report, reportWithin } from './file-report.js';

/**
 * Checks the names, versions and references of a tool file that the JSON Schema of tool files (the meta-schema)
 * accepts.
 */
export function checkTool(tool: Tool, fileName: string, scope: ReferenceScope, report: Report): void {
  if (fileName !== `${tool.name}.json`)
    report(['name'], `the tool is named "${tool.name}"; rename the file to ${tool.name}.json`);
  if (!tool.name.startsWith(`${tool.connector}_`))
    report(['name'], `the name does not start with the connector's id; begin it with "${tool.connector}_"`);
  checkVersionList(tool, report);
  checkHints(tool, report);
  for (const [index, version] of tool.versions.entries()) {
    checkVersion(tool, version, scope, reportWithin(report, 'versions', index));
  }
  for (const [index, { version }] of tool.examples.entries()) {
    const isKnown =
      version === undefined || tool.versions.some(({ schema_version }) => schema_version === version);
    if (!isKnown)
      report(
        ['examples', index, 'version'],
        `the tool has no "schema_version" ${version}; name one of its versions`,
      );
  }
}

const CHANGING = ['PUT', 'PATCH', 'DELETE'];

/**
 * Checks that a tool marked as read-only only reads, because its calls are retried and read-only agents may make them.
 */
function checkHints({ hints: { readOnly, destructive }, versions }: Tool, report: Report): void {
  if (!readOnly) return;
  if (destructive)
    report(['hints'], 'a destructive tool is not read-only; set "readOnly" or "destructive" to false');
  const method = versions
    .flatMap(requestsOf)
    .map((request) => request.method)
    .find((each) => CHANGING.includes(each));
  if (method !== undefined)
    report(
      ['hints', 'readOnly'],
      `the tool sends ${method}, which changes data upstream; set "readOnly" to false`,
    );
}

function checkVersionList({ versions }: Tool, report: Report): void {
  const current = versions.filter(({ status }) => status === 'current');
  if (current.length !== 1)
    report(
      ['versions'],
      `${current.length} versions have the status "current"; give it to exactly one version`,
    );
  const pairs = versions.map((version) => `${version.schema_version} with ${version.tool_version}`);
  for (const [index, pair] of pairs.entries()) {
    if (pairs.indexOf(pair) < index)
      report(['versions', index], `version ${pair} exists already; give this version other numbers`);
  }
}

/** Checks one version of a tool: its schemas, its request templates and its paging. */
function checkVersion(tool: Tool, version: ToolVersion, scope: ReferenceScope, report: Report): void {
  checkInputSchema(version.input, scope, reportWithin(report, 'input'));
  if (typeof version.output !== 'boolean') checkSchema(version.output, scope, reportWithin(report, 'output'));
  const input = tryBundle(version.input, scope, reportWithin(report, 'input'));
  const output = tryBundle(version.output, scope, reportWithin(report, 'output'));
  if (input === undefined || output === undefined) return;
  checkInput(tool, input, reportWithin(report, 'input'));
  checkBinding(version, input, report);
  checkPaging(version, { input, output }, reportWithin(report, 'paging'));
  checkWatch(tool, version, { input, output }, reportWithin(report, 'watch'));
}

function tryBundle(
  schema: JsonSchema | boolean,
  scope: ReferenceScope,
  report: Report,
): JsonSchema | undefined {
  if (!isJsonObject(schema)) return {};
  try {
    return bundle(schema, scope);
  } catch (error) {
    report([], error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function checkInput(tool: Tool, input: JsonSchema, report: Report): void {
  if (input.type !== 'object' || input.additionalProperties !== false) {
    report(
      [],
      'the input must be a closed object; set "type" to "object" and "additionalProperties" to false',
    );
  }
  checkDescriptions(input, report);
  const clashing = ['schema_version', 'tool_version'].filter(
    (name) => input.properties?.[name] !== undefined,
  );
  if (tool.versionInputs && clashing.length > 0) {
    report(
      ['properties', ...clashing.slice(0, 1)],
      '"versionInputs" adds this input already; delete it here',
    );
  }
}

type Upstream = Pick<Connector, 'auth' | 'hosts' | 'mcp'>;

/** Checks that the scopes, hosts and MCP calls of a tool match its connector. */
export function checkUpstream(tool: Tool, upstream: Upstream, report: Report): void {
  const { versions, examples } = tool;
  const { hosts, mcp } = upstream;
  checkScopes(tool, upstream, report);
  const credentialHeader = 'header' in upstream.auth.inject ? upstream.auth.inject.header.toLowerCase() : '';
  const checkHost = (host: string | undefined, within: Report) => {
    if (host !== undefined && !Object.hasOwn(hosts, host))
      within(['host'], `"${host}" is not a host of the connector; add it to "hosts" in connector.json`);
  };
  for (const [index, version] of versions.entries()) {
    for (const [at, { host, idempotencyHeader }] of requestsOf(version).entries()) {
      const within = reportWithin(report, 'versions', index, ...stepsToRequest(version, at));
      checkHost(host, within);
      if (idempotencyHeader?.toLowerCase() === credentialHeader)
        within(['idempotencyHeader'], 'this header contains the credential; name another header');
    }
    if (version.mcp !== undefined && mcp === undefined)
      report(['versions', index, 'mcp'], 'connector.json names no MCP endpoint; add "mcp" to it');
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
    if (!known.includes(scope))
      report(
        ['scopes', index],
        `"${scope}" is not a scope of the connector; add it to "auth.scopes" in connector.json`,
      );
  }
}
