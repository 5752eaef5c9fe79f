import type { AccountName } from './resources.js';
import type { CallOptions, DryRunResult, ToolResult, Tools } from './tool.js';

/** A tool whose input and output types are unknown. */
export interface AnyTool {
  input: Readonly<Record<string, unknown>>;
  output: unknown;
}

/** The types of a tool by its name: those in {@link Tools}, or else unknown ones. */
export type ToolNamed<Name extends string> = Name extends keyof Tools ? Tools[Name] : AnyTool;

// A literal name that no imported package knows is a mistake. A plain string may be any tool's name,
// and so may every name while no connector package is imported.
type KnownName<Name extends string> = Name extends keyof Tools
  ? Name
  : string extends Name
    ? Name
    : [keyof Tools] extends [never]
      ? Name
      : keyof Tools;

interface ById {
  /** The `id` of a connected account. */
  connectedAccountId: string;
  connectionName?: never;
  identifier?: never;
}

interface ByName extends AccountName {
  connectedAccountId?: never;
}

interface NamedCall<Name extends string> {
  /** The tool's full name, such as `calendar_create_event`. */
  toolName: KnownName<Name>;
  /** The tool's own input. */
  toolInput: ToolNamed<Name>['input'];
  /** The contract to run. Default: the service's current one. */
  schemaVersion?: string | undefined;
  /** The implementation to run. Default: the newest one of the schema version. */
  toolVersion?: string | undefined;
}

/** A tool, its input, and the connected account: by its id, or by connection and identifier. */
export type ToolCall<Name extends string> = NamedCall<Name> & (ById | ByName);

/** Options of `executeTool`. */
export interface ExecuteOptions<IsDry extends boolean = boolean> extends CallOptions {
  /** Validates and plans the call without making it. Default: false. */
  dryRun?: IsDry | undefined;
}

/** The result of a call, or of its dry run. */
export type Executed<Output, IsDry extends boolean> = IsDry extends true ? DryRunResult : ToolResult<Output>;

/** Runs a tool by its name. Input and output are typed once the tool's connector package is imported. */
export type ExecuteTool = <Name extends string, IsDry extends boolean = false>(
  call: ToolCall<Name>,
  options?: ExecuteOptions<IsDry>,
) => Promise<Executed<ToolNamed<Name>['output'], IsDry>>;
