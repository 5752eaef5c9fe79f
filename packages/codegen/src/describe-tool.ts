import {
  type Catalog,
  compareVersions,
  type JsonSchema,
  selectVersion,
  type Tool,
  type ToolVersion,
  versionProperties,
} from '@svc/catalog';
import { currentVersion, methodName, ownName, pascalCase } from './names.js';

/** Contract of a tool: one schema version with its input and output schemas and the names of their generated types. */
export interface Contract {
  readonly schemaVersion: string;
  /** Tool versions (implementations) that have this input and output schema. */
  readonly toolVersions: readonly string[];
  readonly version: ToolVersion;
  /** Input schema of the tool without references to other files. */
  readonly plainInput: JsonSchema;
  /** Input schema of the tool including `schema_version` and `tool_version`, if the tool accepts them as inputs. */
  readonly input: JsonSchema;
  readonly inputName: string;
  readonly output: JsonSchema | boolean;
  readonly outputName: string;
}

/** Data about a tool from which the generator writes the tool's code. */
export interface ToolDescription {
  readonly tool: Tool;
  readonly method: string;
  /** Name of the tool without the connector's prefix, in PascalCase. */
  readonly typeName: string;
  /** Contracts of the tool, one for each schema version, newest first. */
  readonly contracts: readonly Contract[];
  /** Contract that a call uses when the caller names no version. */
  readonly current: Contract;
}

/** Collects the data about a tool from which the generator writes the tool's types. */
export function describeTool(catalog: Catalog, tool: Tool): ToolDescription {
  const typeName = pascalCase(ownName(tool));
  const schemaVersions = [...new Set(tool.versions.map((version) => version.schema_version))].sort((a, b) =>
    compareVersions(b, a),
  );
  const isSingle = schemaVersions.length === 1;
  const contracts = schemaVersions.map((schemaVersion) =>
    describeContract(catalog, tool, { schemaVersion, isSingle }),
  );
  const { schema_version } = currentVersion(tool);
  const current = contracts.find(({ schemaVersion }) => schemaVersion === schema_version);
  if (current === undefined)
    throw new Error(
      `The tool ${tool.name} has no version with the status "current". Give this status to exactly one version.`,
    );
  return { tool, method: methodName(tool), typeName, contracts, current };
}

function describeContract(
  catalog: Catalog,
  tool: Tool,
  { schemaVersion, isSingle }: { readonly schemaVersion: string; readonly isSingle: boolean },
): Contract {
  const version = selectVersion(tool, { schemaVersion });
  const same = tool.versions.filter((each) => each.schema_version === schemaVersion);
  const toolVersions = [...new Set(same.map((each) => each.tool_version))].sort(compareVersions);
  const plainInput = catalog.plainInputSchemaOf(tool, version);
  const { schema_version, tool_version } = versionProperties(tool);
  // A tool with several schema versions has `schema_version` as a type parameter of its method, so the generated input
  // type must not contain it.
  const versions = {
    ...(isSingle && { schema_version: { ...schema_version, enum: [schemaVersion] } }),
    tool_version: { ...tool_version, enum: toolVersions },
  };
  const name = pascalCase(ownName(tool));
  const isCurrent = schemaVersion === currentVersion(tool).schema_version;
  const suffix = isCurrent ? '' : `V${schemaVersion.replaceAll('.', '_')}`;
  return {
    schemaVersion,
    toolVersions,
    version,
    plainInput,
    input: tool.versionInputs
      ? { ...plainInput, properties: { ...plainInput.properties, ...versions } }
      : plainInput,
    inputName: `${name}Input${suffix}`,
    output: catalog.outputSchemaOf(tool, version),
    outputName: `${name}Output${suffix}`,
  };
}
