import { isSameJson, isSameRequest, type Replay, replay } from '../binding/replay.js';
import type { Catalog, ResolvedCall } from '../catalog.js';
import { InvalidInputError, ResponseError, UnknownVersionError } from '../errors.js';
import type { Example, Tool, ToolVersion } from '../tool.js';
import { type Report, reportRules, reportWithin } from './file-report.js';

/** Compiles every schema of a tool, and validates every example with them. */
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
      report(
        [part],
        `the schema is not valid; correct it: ${error instanceof Error ? error.message : String(error)}`,
      );
      return true;
    }
  });
  return failures.length === 0;
}

function checkExample(catalog: Catalog, tool: Tool, example: Example, report: Report): void {
  const call = callOf(catalog, tool, example, report);
  if (call === undefined) return;
  const played = checkReplay(catalog, { tool, example, call }, report);
  const data = example.data === undefined ? played : example.data;
  if (data === undefined || (data === null && example.data === undefined)) return;
  const key = example.replies === undefined ? 'reply' : 'replies';
  const within = reportWithin(report, example.data === undefined ? key : 'data');
  reportRules(catalog.outputProblems(tool, call.version, data), within);
}

interface Played {
  readonly tool: Tool;
  readonly example: Example;
  readonly call: ResolvedCall;
}

/**
 * Replays a tool's example, and compares its upstream requests with those that the example lists. Returns the data made
 * from the example's responses.
 */
function checkReplay(catalog: Catalog, { tool, example, call }: Played, report: Report): unknown {
  const { version, input } = call;
  try {
    const played = replay(version, example, { input, schema: catalog.plainInputSchemaOf(tool, version) });
    if (played === undefined) return undefined;
    const single = example.request === undefined ? undefined : [example.request];
    const expected = example.requests ?? single ?? played.sent;
    const reportRequest: Report = ([index = 0], reason) =>
      report(example.requests === undefined ? ['request'] : ['requests', index], reason);
    checkRequests(expected, played.sent, reportRequest);
    if (example.data !== undefined && played.data !== undefined && !isSameJson(played.data, example.data))
      report(
        ['data'],
        `"data" differs from what the replies produce; correct one. Produced: ${JSON.stringify(played.data)}`,
      );
    return played.data;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report(error instanceof ResponseError ? ['replies'] : ['input'], error.message);
    return undefined;
  }
}

/** Reports the first upstream request of a replayed example that is different, missing or unexpected. */
function checkRequests(expected: Replay['sent'], sent: Replay['sent'], report: Report): void {
  const other = expected.findIndex((request, index) => {
    const actual = sent[index];
    return actual === undefined || !isSameRequest(actual, request);
  });
  if (other === -1 && expected.length === sent.length) return;
  const index = other === -1 ? expected.length : other;
  const actual = sent[index];
  const reason =
    actual === undefined
      ? 'the tool sends no such request; delete it, or add the missing reply before it'
      : `the request differs from what the tool sends; correct one. Sent: ${JSON.stringify(actual)}`;
  report([index], reason);
}

function callOf(catalog: Catalog, tool: Tool, example: Example, report: Report): ResolvedCall | undefined {
  try {
    return catalog.resolveCall(tool, { toolInput: example.input, schemaVersion: example.version });
  } catch (error) {
    if (error instanceof InvalidInputError) reportRules(error.errors, reportWithin(report, 'input'));
    else if (error instanceof UnknownVersionError) report(['version'], error.message);
    else throw error;
    return undefined;
  }
}
