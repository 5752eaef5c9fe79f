import type { Catalog, Tool } from '@svc/catalog';
import type { ToolNamed, Tools } from '@svc/core';
import { checkReply } from './check-reply.js';
import { createFakeTool, type FakeTool, type PlannedTool } from './fake-tool.js';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type ConnectorOf<Name> = Name extends `${infer Connector}_${string}` ? Connector : never;

/** Fake tools of one connector, by the method names that its npm package has for them. */
export type ConnectorFakes<Connector extends string> = {
  readonly [Name in keyof Tools as Name extends `${Connector}_${infer Own}`
    ? CamelCase<Own>
    : never]: FakeTool<ToolNamed<Name>['input'], ToolNamed<Name>['output']>;
};

/** Fake tools of all connectors whose packages the program imports. */
export type Fakes = { readonly [Connector in ConnectorOf<keyof Tools>]: ConnectorFakes<Connector> };

const methodOf = ({ name, connector }: Tool): string =>
  name.slice(connector.length + 1).replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Creates a fake tool for each tool of the catalogue. The fake service finds it by tool name, and the test by connector
 * and method.
 */
export function createFakes(catalog: Catalog): {
  readonly fake: Fakes;
  readonly planned: ReadonlyMap<string, PlannedTool>;
} {
  const planned = new Map<string, PlannedTool>();
  const toEntry = (tool: Tool) => {
    const method = methodOf(tool);
    const label = `fake.${tool.connector}.${method}`;
    const created = createFakeTool(label, (data) => checkReply(catalog, tool, { data, label }));
    planned.set(tool.name, created);
    return [method, created.fake];
  };
  const fakes = [...catalog.connectors.values()].map(({ id, tools }) => [
    id,
    Object.fromEntries(tools.map(toEntry)),
  ]);
  // The type assertion is safe, because connector packages declare the catalogue's tools in the `Tools` interface.
  return { fake: Object.fromEntries(fakes) as Fakes, planned };
}
