import type { AccountName } from './resources.js';
import type { CallOptions, DryRunResult, ToolResult, Tools } from './tool.js';

/** Tool whose input and output types are unknown. */
export interface AnyTool {
  input: Readonly<Record<string, unknown>>;
  output: unknown;
}

/** Input and output types of a tool by its name: those in {@link Tools}, otherwise unknown ones. */
export type ToolNamed<Name extends string> = Name extends keyof Tools ? Tools[Name] : AnyTool;

/**
 * Accepts literal tool names only if an imported connector package declares them, to detect typing mistakes. Accepts
 * every `string` variable. Accepts every name while no connector package is imported.
 */
export type KnownName<Name extends string> = Name extends keyof Tools
  ? Name
  : string extends Name
    ? Name
    : [keyof Tools] extends [never]
      ? Name
      : keyof Tools;

interface ById {
  /** `id` of the connected account that the tool call uses. */
  connectedAccountId: string;
  connectionName?: never;
  identifier?: never;
  account?: never;
}

interface ByName extends AccountName {
  connectedAccountId?: never;
}

interface NamedCall<Name extends string> {
  /** Full name of the tool, such as `calendar_create_event`. */
  toolName: KnownName<Name>;
  /** Input of the tool. */
  toolInput: ToolNamed<Name>['input'];
  /** Schema version: the version of the tool's input and output. Default: the service's current one. */
  schemaVersion?: string | undefined;
  /** Tool version: the version of the tool's implementation. Default: the newest one of the schema version. */
  toolVersion?: string | undefined;
}

/**
 * Tool call: the tool, its input, and the connected account, given by its id, or by connection, identifier and label.
 */
export type ToolCall<Name extends string> = NamedCall<Name> & (ById | ByName);

/** Options of `executeTool`. */
export interface ExecuteOptions<IsDry extends boolean = boolean> extends CallOptions {
  /** True to validate and plan the tool call without making it. Default: false. */
  dryRun?: IsDry | undefined;
}

/** Result of a tool call, or of its dry run. */
export type Executed<Output, IsDry extends boolean> = IsDry extends true ? DryRunResult : ToolResult<Output>;

/** Runs a tool by its name. Input and output are typed once the tool's connector package is imported. */
export type ExecuteTool = <Name extends string, IsDry extends boolean = false>(
  call: ToolCall<Name>,
  options?: ExecuteOptions<IsDry>,
) => Promise<Executed<ToolNamed<Name>['output'], IsDry>>;
