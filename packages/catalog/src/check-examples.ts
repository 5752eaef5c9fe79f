import { isSameJson, isSameRequest, replay } from './binding/replay.js';
import type { Catalog, ResolvedCall } from './catalog.js';
import type { BrokenRule } from './errors.js';
import { AnswerError, InvalidInputError, UnknownVersionError } from './errors.js';
import { type Report, reportWithin } from './file-report.js';
import type { Example, Tool, ToolVersion } from './tool.js';

/** Looks at every schema of a tool and holds every example against them. */
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
  const call = callOf(catalog, tool, example, report);
  if (call === undefined) return;
  const { version } = call;
  checkReplay(catalog, { tool, example, call }, report);
  const data = resultOf(example, version);
  if (data === undefined) return;
  const key = example.data === undefined ? 'reply' : 'data';
  reportAll(catalog.outputProblems(tool, version, data), reportWithin(report, key));
}

interface Played {
  readonly tool: Tool;
  readonly example: Example;
  readonly call: ResolvedCall;
}

/** Compares what the example says with what its input becomes. */
function checkReplay(catalog: Catalog, { tool, example, call }: Played, report: Report): void {
  const { version, input } = call;
  try {
    const played = replay(version, example, { input, schema: catalog.plainInputSchemaOf(tool, version) });
    if (played === undefined) return;
    const single = example.request === undefined ? undefined : [example.request];
    const expected = example.requests ?? single ?? played.sent;
    const different = expected.findIndex((request, index) => {
      const sent = played.sent[index];
      return sent === undefined || !isSameRequest(sent, request);
    });
    if (different !== -1 || expected.length !== played.sent.length) {
      const place = example.requests === undefined ? ['request'] : ['requests', Math.max(0, different)];
      report(place, `its input becomes ${JSON.stringify(played.sent[Math.max(0, different)])}`);
    }
    if (example.data !== undefined && played.data !== undefined && !isSameJson(played.data, example.data))
      report(['data'], `its replies become ${JSON.stringify(played.data)}`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report(error instanceof AnswerError ? ['replies'] : ['input'], error.message);
  }
}

function callOf(catalog: Catalog, tool: Tool, example: Example, report: Report): ResolvedCall | undefined {
  try {
    return catalog.resolveCall(tool, { toolInput: example.input, schemaVersion: example.version });
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
  const isAnswer =
    version.request !== undefined && version.answer === undefined && version.paging === undefined;
  return isAnswer && example.reply !== null ? example.reply : undefined;
}
