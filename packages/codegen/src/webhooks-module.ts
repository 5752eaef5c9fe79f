import type { Catalog, Connector } from '@svc/catalog';
import { pascalCase } from './names.js';
import { printType, type TypeContext } from './print-type.js';
import { importTypes, quoted, sourceText } from './source-text.js';

const payloadName = (trigger: string): string => `${pascalCase(trigger)}Payload`;

/**
 * Returns the source of `webhooks.ts`: the types of webhook payloads, which the file adds to the event types of
 * `@svc/core`. Undefined for a connector without webhooks.
 */
export function webhooksModule(
  catalog: Catalog,
  { id, webhooks }: Connector,
  context: TypeContext,
): string | undefined {
  if (webhooks === undefined) return undefined;
  const imported = new Set<string>();
  const shapeName = (shape: string) => {
    const name = context.shapeName(shape);
    imported.add(name);
    return name;
  };
  const printed = Object.entries(webhooks.triggers).map(([trigger, { description }]) => {
    const schema = {
      ...catalog.payloadSchemaOf(id, trigger),
      description: `Payload of ${id}.${trigger}. ${description}`,
    };
    return printType(schema, payloadName(trigger), { ...context, shapeName });
  });
  const entries = Object.keys(webhooks.triggers).map(
    (trigger) => `    ${quoted(`${id}.${trigger}`)}: ${payloadName(trigger)};`,
  );
  const augmentation = [
    "declare module '@svc/core' {",
    '  interface WebhookPayloads {',
    ...entries,
    '  }',
    '}',
  ].join('\n');
  return sourceText(importTypes(imported, './shapes.js'), ...printed, augmentation);
}
