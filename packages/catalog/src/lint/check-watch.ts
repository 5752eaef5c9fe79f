import { type JsonSchema, propertiesOf, resolved } from '../json-schema.js';
import { requestsOf, type Tool, type ToolVersion, type Watch } from '../tool.js';
import { ownInputsOf } from '../watched-list.js';
import { fieldOf, hasField, notAField, notAnInput, type Schemas } from './check-paging.js';
import { type Report, reportWithin } from './file-report.js';

/**
 * Checks the description of a list that the service can poll for changes (`watch` in a tool file). The inputs and
 * fields that it names must exist, and the tool must only read.
 */
export function checkWatch(
  tool: Pick<Tool, 'hints'>,
  version: ToolVersion,
  { input, output }: Schemas,
  report: Report,
): void {
  const { watch, paging } = version;
  if (watch === undefined) return;
  if (!tool.hints.readOnly)
    report([], 'the tool changes data, but only a read-only tool can be watched; delete "watch"');
  for (const name of [...ownInputsOf(version), ...(watch.without ?? [])])
    if (input.properties?.[name] === undefined) report([], notAnInput(name));
  const items = watch.items ?? paging?.items;
  if (items === undefined)
    report(['items'], 'the tool has no "paging"; give the path of the items in the data of the tool');
  else checkItems(watch, { items, output }, report);
  if (watch.failed !== undefined && !hasField(output, watch.failed))
    report(['failed'], notAField(watch.failed));
  const token = watch.syncToken?.output;
  if (token !== undefined && !hasField(output, token)) report(['syncToken', 'output'], notAField(token));
  checkAdded(version, watch, report);
}

/** Checks that the items of the polled list have the fields, such as `id`, that `watch` in the tool file names. */
function checkItems(
  watch: Watch,
  { items, output }: { readonly items: string; readonly output: JsonSchema },
  report: Report,
): void {
  const list = fieldOf(output, items);
  if (list === undefined) {
    report(['items'], notAField(items));
    return;
  }
  const item = typeof list.items === 'object' ? resolved(list.items, output) : {};
  const defs = output.$defs ?? {};
  if (Object.keys(propertiesOf(item, defs)).length === 0) return;
  const paths = { id: watch.id, version: watch.version, time: watch.time, created: watch.created };
  for (const [key, path] of Object.entries({ ...paths, deleted: watch.deleted?.at })) {
    if (path === undefined || hasField({ ...item, $defs: defs }, path)) continue;
    report([key], `"${path}" is not a field of the items in "${items}"; name one of their fields`);
  }
}

/**
 * Checks that the tool sends exactly one upstream request, if `watch` in the tool file adds body fields or a sync token
 * to the request. Body fields require a JSON body.
 */
function checkAdded(version: ToolVersion, { body, syncToken }: Watch, report: Report): void {
  const query = syncToken?.query;
  const requests = requestsOf(version);
  const [request] = requests;
  if (body === undefined && query === undefined) return;
  if (request === undefined || requests.length > 1)
    report(
      [],
      '"body" and "query" are added to one upstream request; give the tool exactly one, or name an input',
    );
  else if (body !== undefined && (request.body === undefined || (request.encoding ?? 'json') !== 'json'))
    reportWithin(report, 'body')(
      [],
      'the upstream request has no JSON body; delete "body", or name an input',
    );
}
