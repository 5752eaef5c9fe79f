import type { Catalog } from '../catalog.js';
import type { Connector, ConnectorFile } from '../connector.js';
import { type JsonSchema, resolved } from '../json-schema.js';
import type { Tool } from '../tool.js';
import { checkForm } from './check-form.js';
import { type ConnectorScope, checkPath, schemaOf } from './check-object.js';
import { checkSchema } from './check-schema.js';
import { type Report, reportRules, reportWithin } from './file-report.js';

/**
 * Checks the webhooks of a connector.json: their tools, the inputs and outputs of these tools, and the schemas of the
 * payloads.
 */
export function checkWebhooks(connector: ConnectorFile, scope: ConnectorScope, report: Report): void {
  const { webhooks } = connector;
  if (webhooks === undefined) return;
  const { create, delete: ending, triggers } = webhooks;
  const creates = findTool(scope.tools, create.tool, reportWithin(report, 'create', 'tool'));
  const deletes = findTool(scope.tools, ending.tool, reportWithin(report, 'delete', 'tool'));
  if (creates) {
    const input = schemaOf(creates, 'input', scope);
    checkInputs(input, { url: create.url, trigger: create.trigger }, reportWithin(report, 'create'));
    checkTriggers(input, create.trigger, { names: Object.keys(triggers), report });
    checkPath(create.id.slice(1), schemaOf(creates, 'output', scope), reportWithin(report, 'create', 'id'));
  }
  if (deletes)
    checkInputs(schemaOf(deletes, 'input', scope), { id: ending.id }, reportWithin(report, 'delete'));
  for (const [name, { payload }] of Object.entries(triggers)) {
    const within = reportWithin(report, 'triggers', name, 'payload');
    if (checkForm(payload, within)) checkSchema(payload, { document: connector, types: scope.types }, within);
  }
}

function findTool(tools: readonly Tool[], name: string, report: Report): Tool | undefined {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) report([], `the connector has no tool "${name}"; add it, or correct the name`);
  return tool;
}

/**
 * Checks that the tool has the inputs that connector.json names, and requires no others. `names`: input names, by the
 * field of connector.json that contains them.
 */
function checkInputs(input: JsonSchema, names: Readonly<Record<string, string>>, report: Report): void {
  for (const [field, name] of Object.entries(names))
    if (input.properties?.[name] === undefined)
      report([field], `the tool has no input "${name}"; correct the name`);
  const missing = (input.required ?? []).filter((name) => !Object.values(names).includes(name));
  if (missing.length > 0)
    report(
      ['tool'],
      `the service cannot call the tool, because the tool also requires ${missing.join(', ')}; name a tool that needs no other input`,
    );
}

/**
 * Checks that the input for the trigger accepts every trigger of the connector, if its schema lists the allowed values.
 */
function checkTriggers(
  input: JsonSchema,
  inputName: string,
  { names, report }: { readonly names: readonly string[]; readonly report: Report },
): void {
  const schema = input.properties?.[inputName];
  const accepted = schema && resolved(schema, input).enum;
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
