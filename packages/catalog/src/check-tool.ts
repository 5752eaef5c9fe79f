import { checkVersion } from './check-version.js';
import { type Report, reportWithin } from './file-report.js';
import type { ReferenceScope } from './references.js';
import { requestsOf, type Tool } from './tool.js';

/** Checks a tool file that fits the meta-schema: its names, its versions, and what they refer to. */
export function checkTool(tool: Tool, fileName: string, scope: ReferenceScope, report: Report): void {
  if (fileName !== `${tool.name}.json`)
    report(['name'], `the file of "${tool.name}" is called ${tool.name}.json`);
  if (!tool.name.startsWith(`${tool.connector}_`))
    report(['name'], `it starts with "${tool.connector}_", the connector's id`);
  checkVersionList(tool, report);
  checkHints(tool, report);
  for (const [index, version] of tool.versions.entries()) {
    checkVersion(tool, version, scope, reportWithin(report, 'versions', index));
  }
  for (const [index, { version }] of tool.examples.entries()) {
    const isKnown =
      version === undefined || tool.versions.some(({ schema_version }) => schema_version === version);
    if (!isKnown) report(['examples', index, 'version'], `there is no schema_version ${version}`);
  }
}

const CHANGING = ['PUT', 'PATCH', 'DELETE'];

/** Calls that only read are repeated, and made by agents that may do nothing else. */
function checkHints({ hints: { readOnly, destructive }, versions }: Tool, report: Report): void {
  if (!readOnly) return;
  if (destructive) report(['hints'], 'what is destructive is not readOnly');
  const method = versions
    .flatMap(requestsOf)
    .map((request) => request.method)
    .find((each) => CHANGING.includes(each));
  if (method !== undefined)
    report(['hints', 'readOnly'], `it sends ${method}, which changes something upstream`);
}

function checkVersionList({ versions }: Tool, report: Report): void {
  const current = versions.filter(({ status }) => status === 'current');
  if (current.length !== 1) report(['versions'], `exactly one version is current, not ${current.length}`);
  const pairs = versions.map((version) => `${version.schema_version} with ${version.tool_version}`);
  for (const [index, pair] of pairs.entries()) {
    if (pairs.indexOf(pair) < index) report(['versions', index], `there is already a version ${pair}`);
  }
}
