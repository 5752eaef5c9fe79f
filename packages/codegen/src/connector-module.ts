import { type Connector, inputsWithoutWatch, type Tool } from '@svc/catalog';
import { methodSignature } from './method.js';
import { connectorTypeName, currentVersion, ownName, snakeCase, toolFile } from './names.js';
import { docComment, exportedTypes, importTypes, quoted, sourceText } from './source-text.js';
import { currentTypes, type ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

const FIRST = '1.0.0';
/** Client timeout in milliseconds for a long-running tool: the service's timeout plus 10 s for the network. */
const LONG_RUNNING_MS = 340_000;

/**
 * Returns the source of a generated `connector.ts`: the connector's methods, the table of its tools, and the types of
 * each tool by name.
 */
export function connectorModule(
  connector: Connector,
  modules: readonly ToolModule[],
  shapes: readonly string[],
): string {
  const { id, title, description } = connector;
  const type = connectorTypeName(connector);
  const methods = modules.map((module) => methodSignature(module, connector));
  const start = [docComment(description), `export interface ${type} {`];
  const methodsInterface = [...start, ...methods, '}'].join('\n');
  const table = [
    docComment(`Returns the tools of ${title} for a client and a connected account.`),
    `export const ${id} = /* @__PURE__ */ connector<${type}>(${quoted(id)}, {`,
    ...modules.map((module) => `  ${module.description.method}: ${tableEntry(module)},`),
    '});',
  ].join('\n');
  const names = [
    "declare module '@svc/core' {",
    '  interface Tools {',
    ...modules.map((module) => `    ${toolsEntry(module)}`),
    '  }',
    '}',
  ].join('\n');
  const code = [methodsInterface, table, names];
  return sourceText(imports(code.join('\n'), modules, shapes), ...code);
}

function imports(code: string, modules: readonly ToolModule[], shapes: readonly string[]): string {
  const mentioned = new Set(withoutComments(code).match(/\w+/g));
  const core = ['DryRunOptions', 'DryRunResult', 'Limit', 'PagedTool', 'ToolOptions', 'ToolResult'].filter(
    (name) => mentioned.has(name),
  );
  const lines = modules.map(({ description, source }) => {
    const names = exportedTypes(source).filter((name) => mentioned.has(name));
    return importTypes(names, `./tools/${toolFile(description.tool)}.js`);
  });
  return [
    `import { connector${core.map((name) => `, type ${name}`).join('')} } from '@svc/core';`,
    importTypes(
      shapes.filter((name) => mentioned.has(name)),
      './shapes.js',
    ),
    ...lines,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function withoutComments(code: string): string {
  const [before = '', ...commented] = code.split('/*');
  return before + commented.map((text) => text.slice(text.indexOf('*/') + 2)).join('');
}

function tableEntry({ description: { tool, method } }: ToolModule): string {
  const { schema_version, tool_version, paging } = currentVersion(tool);
  // The generated table contains only values that differ from the client's defaults: a tool name derived from the
  // method, and version 1.0.0.
  const own = ownName(tool);
  const isFirst = schema_version === FIRST && tool_version === FIRST;
  const entry = {
    ...(snakeCase(method) !== own && { tool: own }),
    ...(!isFirst && { version: [schema_version, tool_version] }),
    ...(tool.hints.readOnly && { reads: true }),
    ...(tool.hints.longRunning && { timeout: LONG_RUNNING_MS }),
    ...(paging?.input !== undefined && { page: paging.items }),
  };
  return typescriptLiteral(entry, { indent: '  ', taken: method.length });
}

/** Returns the input and output types of a tool's current version, for `executeTool`. */
function toolsEntry(module: ToolModule): string {
  const { input, output, contract } = currentTypes(module);
  const { tool, contracts } = module.description;
  const isSeparate = tool.versionInputs && contracts.length > 1;
  const version = isSeparate ? ` & { schema_version?: ${quoted(contract.schemaVersion)} }` : '';
  return `${tool.name}: { input: ${input}${version}; output: ${output}${watchPart(tool)} };`;
}

/**
 * Returns source for the inputs that a watch (a regular poll of the tool) does not accept: a type member with their
 * names. Empty for a tool that cannot be watched.
 */
function watchPart(tool: Tool): string {
  const version = currentVersion(tool);
  if (version.watch === undefined) return '';
  const versions = tool.versionInputs ? ['schema_version', 'tool_version'] : [];
  return `; watch: ${[...inputsWithoutWatch(version), ...versions].map(quoted).join(' | ')}`;
}
