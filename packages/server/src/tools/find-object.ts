import {
  bindValue,
  type Catalog,
  type Connector,
  type RequestBinding,
  type RequestVersion,
  type ResolvedCall,
  type Tool,
  textAt,
} from '@svc/catalog';
import type { BodyMemory, MemoryShare } from '../concurrency/body-memory.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { policyNeedsApproval } from '../connections/approval-policy.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { newTrace } from '../upstream/trace.js';
import type { ExecuteRequest } from './execute-request.js';
import { reserveResponseMemory } from './reserve-response-memory.js';
import { runRequests } from './run-requests.js';
import type { RunTool } from './run-tool.js';
import type { AccessUpstream } from './upstream-access.js';

/** Title and date of an existing object, as the upstream returns them. Both are untrusted texts. */
export interface FoundObject {
  readonly title: string;
  readonly date?: string | undefined;
}

/** Lookup of the existing object that a tool call names by id, so that an approval can show the object's title. */
export interface ObjectOfCall {
  /** Name of the tool input that contains the id of the object. */
  readonly id: string;
  /**
   * Looks the object up with the credential of the account. Resolves to `undefined` if the lookup fails, takes longer
   * than 3 s or returns too much data.
   */
  readonly find: () => Promise<FoundObject | undefined>;
  /** Returns true if the caller may read the object with a read-only tool and without a person's approval. */
  readonly mayCallerRead: () => boolean;
}

interface FindObjectParts {
  readonly catalog: Catalog;
  readonly memory: BodyMemory;
  readonly accessUpstream: AccessUpstream;
  readonly runTool: RunTool;
}

interface CallOfTool extends ResolvedCall {
  readonly tool: Tool;
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly request: Pick<ExecuteRequest, 'checkCall' | 'onLookup'>;
}

const MAX_MS = 3000;
const MAX_BYTES = 1024 * 1024;

/** Limits the memory that the upstream responses of one object lookup may reserve to `MAX_BYTES`. */
function limitMemory({ take }: Pick<MemoryShare, 'take'>): Pick<MemoryShare, 'take'> {
  let taken = 0;
  return {
    take: (bytes) => {
      taken += bytes;
      if (taken > MAX_BYTES)
        throw new ServiceError(
          'upstream_failed',
          'The object of the call is larger than 1 MiB, so the approval does not show its title.',
        );
      take(bytes);
    },
  };
}

export function createFindObject({ catalog, memory, accessUpstream, runTool }: FindObjectParts) {
  /**
   * Resolves the call of the read-only tool that looks up the object of a tool call. Returns `undefined` if the lookup
   * uses no tool. Throws invalid_input if the input contains no id.
   */
  function resolveRead({ tool: { object }, input }: CallOfTool) {
    const tool = object?.tool === undefined ? undefined : catalog.tools.get(object.tool);
    return tool && { tool, ...catalog.resolveCall(tool, { toolInput: bindValue(object?.input, { input }) }) };
  }

  /** Returns a tool version whose only request is the lookup request, so that `runRequests` can send it. */
  function toVersion({ version }: CallOfTool, request: RequestBinding): RequestVersion {
    const { schema_version, tool_version, status, input, output } = version;
    return { schema_version, tool_version, status, input, output, request };
  }

  async function read(call: CallOfTool, signal: AbortSignal): Promise<unknown> {
    const { account, connector, input, request: caller } = call;
    const lookup = resolveRead(call);
    const tool = lookup?.tool ?? { ...call.tool, hints: { ...call.tool.hints, readOnly: true } };
    caller.onLookup?.(account);
    const reservation = { applicationId: account.applicationId, isReadOnly: true };
    return reserveResponseMemory(memory, reservation, async (share) => {
      const [trace, holding, onStatus] = [newTrace(), limitMemory(share), () => undefined];
      const upstream = accessUpstream({ tool, account, connector, signal, onStatus, trace, holding });
      if (lookup) return runTool(lookup.tool, lookup, upstream);
      const request = call.tool.object?.request;
      const schema = catalog.plainInputSchemaOf(call.tool, call.version);
      return request && runRequests({ version: toVersion(call, request), input, schema }, upstream.exchange);
    });
  }

  /**
   * Returns the lookup of the object that a tool call names by id. Returns `undefined` if the tool declares no lookup.
   */
  return function findObject(call: CallOfTool): ObjectOfCall | undefined {
    const { tool, account, request } = call;
    const { object } = tool;
    if (object === undefined) return undefined;
    return {
      id: object.id,
      find: async () => {
        const ending = new AbortController();
        // Ignores a failed lookup, because the approval can be requested anyway. The approval then shows the object's
        // id instead of its title.
        const reading = read(call, ending.signal).catch(() => undefined);
        const data = await withTimeout(MAX_MS, reading, () => undefined);
        ending.abort();
        const title = textAt(data, object.title);
        return title === undefined ? undefined : { title, date: textAt(data, object.date ?? []) };
      },
      mayCallerRead: () => {
        try {
          const lookup = resolveRead(call);
          if (lookup === undefined || policyNeedsApproval(account, lookup.tool)) return false;
          const { name, hints } = lookup.tool;
          const allowed = request.checkCall?.({ account, tool: { name, hints, input: lookup.input } });
          return allowed?.needsApproval !== true;
        } catch {
          return false;
        }
      },
    };
  };
}

export type FindObject = ReturnType<typeof createFindObject>;
