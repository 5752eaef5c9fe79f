import type { Catalog, Connector, JsonSchema } from '@svc/catalog';
import { type Change, change } from './change.js';
import { withTypes } from './compare-entries.js';
import { compareSchemas } from './compare-schemas.js';
import type { ReleasedConnector } from './release-file.js';
import { schemaShape, withoutDefinitions } from './schema-shape.js';

type Triggers = Readonly<Record<string, JsonSchema>>;

/** Returns the payload schema of each webhook trigger. Its references point to `types` of the connector. */
export function describeTriggers(catalog: Catalog, { id, webhooks }: Connector): Triggers {
  const schemaOf = (trigger: string) => withoutDefinitions(schemaShape(catalog.payloadSchemaOf(id, trigger)));
  return Object.fromEntries(
    Object.keys(webhooks?.triggers ?? {}).map((trigger) => [trigger, schemaOf(trigger)]),
  );
}

/** Compares the webhook triggers of a connector and their payloads with the released ones. */
export function compareTriggers(
  catalog: Catalog,
  connector: Connector,
  { triggers: before = {}, types }: ReleasedConnector,
): readonly Change[] {
  const after = describeTriggers(catalog, connector);
  const removed = Object.keys(before).filter((name) => after[name] === undefined);
  const present = Object.entries(after).flatMap(([name, is]): readonly Change[] => {
    const where = `webhooks.triggers.${name}`;
    const was = before[name];
    if (was === undefined) return [change('additive', where, 'the trigger is new')];
    const changes = compareSchemas(withTypes(was, types), withTypes(is, connector.types), 'output');
    return changes.map((each) => ({ ...each, where: `${where} ${each.where}` }));
  });
  return [
    ...removed.map((name) => change('breaking', `webhooks.triggers.${name}`, 'the trigger was removed')),
    ...present,
  ];
}
