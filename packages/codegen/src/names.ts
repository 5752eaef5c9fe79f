import type { Connector, Tool, ToolVersion } from '@svc/catalog';

/** Converts a tool's name such as `create_event` to a method's name: `createEvent`. */
function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Converts a method's name such as `createEvent` to a tool's name: `create_event`. The client converts names too, so
 * the generated table omits tool names that equal the result.
 */
export function snakeCase(method: string): string {
  return method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts a name such as `create_event` to a type's name: `CreateEvent`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** Returns a tool's name without the prefix of its connector. */
export function ownName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return tool.name.slice(tool.connector.length + 1);
}

/** Returns the name of a tool's method in the connector package. */
export function methodName(tool: Pick<Tool, 'name' | 'connector'>): string {
  return camelCase(ownName(tool));
}

/** Returns the name of the generated file with a tool's types, without extension: `create-event`. */
export function toolFile(tool: Tool): string {
  return ownName(tool).replaceAll('_', '-');
}

/** Returns the name of the generated interface with a connector's methods. */
export function connectorTypeName(connector: Connector): string {
  return pascalCase(connector.id);
}

/** Returns the version of a tool that runs when the caller names no version. */
export function currentVersion(tool: Tool): ToolVersion {
  const current = tool.versions.find(({ status }) => status === 'current');
  if (current === undefined)
    throw new Error(
      `The tool ${tool.name} has no version with the status "current". Give this status to exactly one version.`,
    );
  return current;
}
