import type { Connector, Tool, ToolVersion } from '@svc/catalog';

/** `create_event` as a method: `createEvent`. */
function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `createEvent` as a tool: `create_event`, as the client reads a method that names no tool. */
export function snakeCase(method: string): string {
  return method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `create_event` as a type: `CreateEvent`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** The tool's name without its connector's prefix. */
export function ownName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return tool.name.slice(tool.connector.length + 1);
}

/** The tool's name as a method. */
export function methodName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return camelCase(ownName(tool));
}

/** The file of a tool's types, without its ending: `create-event`. */
export function toolFile(tool: Tool): string {
  return ownName(tool).replaceAll('_', '-');
}

/** The interface of a connector's methods. */
export function connectorTypeName(connector: Connector): string {
  return pascalCase(connector.id);
}

/** The version that runs when the caller names none. */
export function currentVersion(tool: Tool): ToolVersion {
  const current = tool.versions.find(({ status }) => status === 'current');
  if (current === undefined) throw new Error(`${tool.name} has no current version`);
  return current;
}
