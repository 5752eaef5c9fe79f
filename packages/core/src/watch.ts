import type { ToolNamed } from './execute-tool.js';
import type { AccountName, PageQuery } from './resources.js';
import type { CallOptions, Tools } from './tool.js';

/** Names of the tools in {@link Tools} that return a list which `svc.watch` can poll for new and changed items. */
type WatchedTool = {
  [Name in keyof Tools]: Tools[Name] extends { watch: string } ? Name : never;
}[keyof Tools];

// Accepts every name while no connector package is imported, and every `string` variable, as `executeTool` does.
type WatchedName<Name extends string> = Name extends WatchedTool
  ? Name
  : string extends Name
    ? Name
    : [keyof Tools] extends [never]
      ? Name
      : WatchedTool;

type WithoutEach<Input, Names extends PropertyKey> = Input extends unknown ? Omit<Input, Names> : never;

/** Input of a watch: the input of the tool, without inputs that the service sets itself. */
export type WatchInput<Name extends string> =
  ToolNamed<Name> extends { input: infer Input; watch: infer Names extends string }
    ? WithoutEach<Input, Names>
    : ToolNamed<Name>['input'];

interface ById {
  /** `id` of the connected account whose list is watched. */
  connectedAccountId: string;
  connectionName?: never;
  identifier?: never;
  account?: never;
}

interface ByName extends AccountName {
  connectedAccountId?: never;
}

interface NamedWatch<Name extends string> {
  /** Full name of the tool that returns the list, such as `calendar_list_events`. */
  tool: WatchedName<Name>;
  /** Input of the tool, without inputs for pages, order and time. */
  input: WatchInput<Name>;
  /**
   * Seconds between two polls, at most 604800. At least 60 for an application that is marked as production. Default:
   * 300.
   */
  every?: number | undefined;
  /** `start` reports the existing items as new too. Default: `now`. */
  from?: 'now' | 'start' | undefined;
}

/** New watch: the tool, its input, and the connected account, given by its id, or by connection and identifier. */
export type NewWatch<Name extends string> = NamedWatch<Name> & (ById | ByName);

/** Watches the list of a tool. The input is typed once the tool's connector package is imported. */
export type WatchList = <Name extends string>(watch: NewWatch<Name>, options?: CallOptions) => Promise<Watch>;

/** List that the service polls, to report its new, changed and deleted items as events. */
export interface Watch {
  id: string;
  toolName: string;
  toolInput: Record<string, unknown>;
  accountId: string;
  connectionName: string;
  identifier: string;
  /** Label of the account. Absent without a label. */
  account?: string;
  /** Seconds between two polls. */
  every: number;
  /** False if polling was stopped. */
  enabled: boolean;
  /**
   * `starting`: the first poll has not ended. `paused`: the watch continues when the account has access again.
   * `failed`: the watch has ended until it is enabled again.
   */
  state: 'starting' | 'watching' | 'paused' | 'failed' | (string & {});
  /**
   * Reason why the watch is paused or failed, such as `account_not_authorized`. In another state: reason why the last
   * poll failed. The service polls again.
   */
  reason?: string;
  /** Time since when changes are reported, in ISO 8601. */
  startedAt?: string;
  /** End of the last complete poll, in ISO 8601. */
  polledAt?: string;
  /** Time of the next poll, in ISO 8601. Absent for a stopped watch. */
  nextPollAt?: string;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time of the last change, in ISO 8601. */
  updatedAt: string;
  /** Version of the settings `every` and `enabled`, for the option `ifMatch` of `watches.update`. */
  etag: string;
}

/** Settings of a watch. Absent settings of a change stay as they are. */
export interface WatchSettings {
  /** Seconds between two polls, at most 604800. At least 60 for an application that is marked as production. */
  every?: number | undefined;
  /** False to stop polling. True continues at the last position, also after a failure. */
  enabled?: boolean | undefined;
}

/** Filters for watches. The list is sorted by time, newest first. */
export type WatchQuery = PageQuery & { accountId?: string | undefined };
