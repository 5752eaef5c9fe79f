import type { Tool } from '@svc/catalog';
import type { AccountReference, CheckAccount } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import type { Cancellation } from '../http/send-http.js';
import type { AllowedCall } from '../tokens/token-uses.js';
import type { AddedParts } from './add-to-requests.js';

export interface ExecuteRequest extends AccountReference {
  readonly applicationId: string;
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly schemaVersion?: string | undefined;
  readonly toolVersion?: string | undefined;
  readonly requestId: string;
  /** Id of the caller's trace, if the call belongs to one. */
  readonly traceId?: string | undefined;
  /**
   * Idempotency key of the call, combined with the API credential that sent it. Equal keys of two credentials are
   * different keys. Absent if the call has no Idempotency-Key.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Check of the connected account, called before the caller learns anything about the account. Throws if the caller
   * may not use it.
   */
  readonly checkAccount?: CheckAccount | undefined;
  /**
   * Check of the tool call after input validation and before the tool runs. Throws if the caller's token does not
   * permit the call.
   */
  readonly checkCall?: ((call: CheckedCall) => AllowedCall) | undefined;
  /** Called with the connected account before the tool runs. A rate limit of the account may throw here. */
  readonly onAccount?: ((account: ResolvedAccount) => void) | undefined;
  /**
   * Called with the account before the service looks up the object that the tool input names by id. A rate limit of the
   * account may throw here.
   */
  readonly onLookup?: ((account: ResolvedAccount) => void) | undefined;
  /**
   * Resolves when the client has received the response to the tool call. The memory of the response is then released.
   * If absent, the memory is released when the tool ends.
   */
  readonly whenSent?: Promise<unknown> | undefined;
  /**
   * True for a call that the service itself makes, such as a call that ends a webhook subscription. Such a call needs
   * no person's approval.
   */
  readonly isOfService?: true | undefined;
  /**
   * Query parameters and body fields that a watch (a regular poll for changes) adds to the upstream request, because
   * the tool has no inputs for them.
   */
  readonly added?: AddedParts | undefined;
  /** Cancellation of the tool call, which is aborted when the client of the API disconnects. */
  readonly signal?: Cancellation | undefined;
}

interface CheckedCall {
  readonly account: ResolvedAccount;
  /** Tool with its validated input. `input` includes the default values of the schema. */
  readonly tool: Pick<Tool, 'name' | 'hints'> & { readonly input: unknown };
}
