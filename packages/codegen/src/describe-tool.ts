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

/** One contract of a tool, as types see it. */
export interface Contract {
  readonly schemaVersion: string;
  /** Every implementation of the contract. */
  readonly toolVersions: readonly string[];
  readonly version: ToolVersion;
  /** Self-contained. */
  readonly plainInput: JsonSchema;
  /** The same with the version inputs of a tool that takes them. */
  readonly input: JsonSchema;
  readonly inputName: string;
  readonly output: JsonSchema | boolean;
  readonly outputName: string;
}

/** Facts about a tool from which its code is generated. */
export interface ToolDescription {
  readonly tool: Tool;
  readonly method: string;
  /** The tool's name without prefix, in PascalCase. */
  readonly typeName: string;
  /** Newest first. */
  readonly contracts: readonly Contract[];
  /** The contract that runs when the caller names no version. */
  readonly current: Contract;
}

/** Collects what the types of a tool are made of. */
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
  if (current === undefined) throw new Error(`${tool.name} has no current version`);
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
  // Several contracts make schema_version the method's type parameter, so it is no field of the input type.
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
