import type { Catalog, Tool } from '@svc/catalog';
import type { ToolNamed, Tools } from '@svc/core';
import { checkReply } from './check-reply.js';
import { createFakeTool, type FakeTool, type PlannedTool } from './fake-tool.js';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type ConnectorOf<Name> = Name extends `${infer Connector}_${string}` ? Connector : never;

/** The fakes of one connector, by the methods of its package. */
export type ConnectorFakes<Connector extends string> = {
  readonly [Name in keyof Tools as Name extends `${Connector}_${infer Own}`
    ? CamelCase<Own>
    : never]: FakeTool<ToolNamed<Name>['input'], ToolNamed<Name>['output']>;
};

/** The fakes of every connector whose package the program imports. */
export type Fakes = { readonly [Connector in ConnectorOf<keyof Tools>]: ConnectorFakes<Connector> };

const methodOf = ({ name, connector }: Tool): string =>
  name.slice(connector.length + 1).replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A fake for every tool of the catalogue, by the tools' names, and for the test by connectors and methods. */
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
  // Packages of connectors add their tools to `Tools` by the names that the catalogue has.
  return { fake: Object.fromEntries(fakes) as Fakes, planned };
}
