import type { Catalog } from './catalog.js';
import { checkForm } from './check-form.js';
import { checkSchema } from './check-schema.js';
import type { Connector, ConnectorFile } from './connector.js';
import { type Report, reportRules, reportWithin } from './file-report.js';
import type { JsonSchema } from './json-schema.js';
import type { Tool, ToolVersion } from './tool.js';

interface Scope {
  readonly tools: readonly Tool[];
  readonly types: Readonly<Record<string, JsonSchema>>;
}

/** Checks the webhooks of a connector.json: their tools, the inputs of these tools, and the schemas of the payloads. */
export function checkWebhooks(connector: ConnectorFile, { tools, types }: Scope, report: Report): void {
  const { webhooks } = connector;
  if (webhooks === undefined) return;
  const { create, delete: ending, triggers } = webhooks;
  const creates = findVersion(tools, create.tool, reportWithin(report, 'create', 'tool'));
  const deletes = findVersion(tools, ending.tool, reportWithin(report, 'delete', 'tool'));
  if (creates) {
    checkInputs(creates, { url: create.url, trigger: create.trigger }, reportWithin(report, 'create'));
    checkTriggers(creates, create.trigger, { names: Object.keys(triggers), report });
  }
  if (deletes) checkInputs(deletes, { id: ending.id }, reportWithin(report, 'delete'));
  for (const [name, { payload }] of Object.entries(triggers)) {
    const within = reportWithin(report, 'triggers', name, 'payload');
    if (checkForm(payload, within)) checkSchema(payload, { document: connector, types }, within);
  }
}

function findVersion(tools: readonly Tool[], name: string, report: Report): ToolVersion | undefined {
  const version = tools
    .find((tool) => tool.name === name)
    ?.versions.find(({ status }) => status === 'current');
  if (version === undefined) report([], `the connector has no tool "${name}"; add it, or correct the name`);
  return version;
}

/**
 * Checks that the tool has the inputs in `names`, and requires no others. `names`: input names by the field of
 * connector.json that states them.
 */
function checkInputs({ input }: ToolVersion, names: Readonly<Record<string, string>>, report: Report): void {
  for (const [field, name] of Object.entries(names))
    if (input.properties?.[name] === undefined)
      report([field], `the tool has no input "${name}"; correct the name`);
  const missing = (input.required ?? []).filter((name) => !Object.values(names).includes(name));
  if (missing.length > 0)
    report(['tool'], `the service cannot call the tool, because it also requires ${missing.join(', ')}`);
}

/**
 * Checks that the input for the trigger accepts every trigger of the connector, if its schema lists the allowed values.
 */
function checkTriggers(
  { input }: ToolVersion,
  inputName: string,
  { names, report }: { readonly names: readonly string[]; readonly report: Report },
): void {
  const accepted = input.properties?.[inputName]?.enum;
  for (const name of names)
    if (accepted !== undefined && !accepted.includes(name))
      report(['triggers', name], `the tool does not accept this trigger; use one of ${accepted.join(', ')}`);
}

/** Validates the example payload of each webhook trigger by the trigger's schema. */
export function checkPayloadExamples(catalog: Catalog, { id, webhooks }: Connector, report: Report): void {
  for (const [name, { example }] of Object.entries(webhooks?.triggers ?? {}))
    reportRules(
      catalog.payloadProblems(id, name, example),
      reportWithin(report, 'webhooks', 'triggers', name, 'example'),
    );
}
