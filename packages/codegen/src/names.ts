import type { Connector, Tool, ToolVersion } from '@svc/catalog';

/** `create_event` as a method: `createEvent`. */
export function camelCase(name: string): string {
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

/** `create_event` as a file: `create-event`. */
export function kebabCase(name: string): string {
  return name.replaceAll('_', '-');
}

/** The tool's name without its connector's prefix. */
export function ownName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return tool.name.slice(tool.connector.length + 1);
}

/** The tool's name as a method. */
export function methodName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return camelCase(ownName(tool));
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

/** What is added to type names of a schema version that is not the current one: `1.2.0` becomes `V1_2_0`. */
export function versionSuffix(tool: Tool, schemaVersion: string): string {
  return schemaVersion === currentVersion(tool).schema_version
    ? ''
    : `V${schemaVersion.replaceAll('.', '_')}`;
}
