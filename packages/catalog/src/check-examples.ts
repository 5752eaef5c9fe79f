import type { Catalog } from './catalog.js';
import type { BrokenRule } from './errors.js';
import { InvalidInputError, UnknownVersionError } from './errors.js';
import { type Report, reportWithin } from './file-report.js';
import type { Example, Tool, ToolVersion } from './tool.js';

/** Compiles every schema of a tool and holds every example against them. */
export function checkExamples(catalog: Catalog, tool: Tool, report: Report): void {
  const broken = tool.versions.filter(
    (version, index) => !compiles(catalog, tool, version, reportWithin(report, 'versions', index)),
  );
  if (broken.length > 0) return;
  for (const [index, example] of tool.examples.entries()) {
    checkExample(catalog, tool, example, reportWithin(report, 'examples', index));
  }
}

function compiles(catalog: Catalog, tool: Tool, version: ToolVersion, report: Report): boolean {
  const failures = (['input', 'output'] as const).filter((part) => {
    try {
      catalog.compile(tool, version, part);
      return false;
    } catch (error) {
      report([part], `it is not a valid schema: ${error instanceof Error ? error.message : String(error)}`);
      return true;
    }
  });
  return failures.length === 0;
}

function checkExample(catalog: Catalog, tool: Tool, example: Example, report: Report): void {
  const version = exampleVersion(catalog, tool, example, report);
  if (version === undefined) return;
  const data = resultOf(example, version);
  if (data === undefined) return;
  const key = example.data === undefined ? 'reply' : 'data';
  reportAll(catalog.outputProblems(tool, version, data), reportWithin(report, key));
}

function exampleVersion(
  catalog: Catalog,
  tool: Tool,
  example: Example,
  report: Report,
): ToolVersion | undefined {
  try {
    return catalog.resolveCall(tool, { toolInput: example.input, schemaVersion: example.version }).version;
  } catch (error) {
    if (error instanceof InvalidInputError) reportAll(error.errors, reportWithin(report, 'input'));
    else if (error instanceof UnknownVersionError) report(['version'], error.message);
    else throw error;
    return undefined;
  }
}

function reportAll(rules: readonly BrokenRule[], report: Report): void {
  for (const { field, message } of rules) report(field === '' ? [] : [field], message);
}

/** What the caller gets: data, or the reply itself when one request is answered with a body. */
function resultOf(example: Example, version: ToolVersion): unknown {
  if (example.data !== undefined) return example.data;
  return version.request === undefined || example.reply === null ? undefined : example.reply;
}
