import { type Catalog, InvalidInputError, type Webhooks } from '@svc/catalog';
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import { HOOKS_PATH, webhookUrlOf } from '../connections/connection.js';
import { invalidInput, isFinal, ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import { newId, type Random } from '../text/random.js';
import type { FollowCall, FollowedCall, ReadyCall } from '../tools/execute.js';
import type { Digest } from '../vault/pepper.js';
import { digestOfKey, newSubscriptionKey } from './subscription-key.js';
import { isGone, MAX_SUBSCRIPTIONS, ownerOf, readUpstreamId } from './webhook-subscription.js';

export interface FollowCallsParts {
  readonly catalog: Pick<Catalog, 'connectors' | 'validateInput'>;
  readonly storage: Pick<Storage, 'webhookSubscriptions'>;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Maximum milliseconds to retry storing that the upstream has created or deleted a subscription, while the database is
 * unavailable.
 */
const STORE_MS = 10_000;
/** Error codes of a failed tool call after which the upstream may have created the subscription all the same. */
const UNKNOWN_OUTCOMES = ['internal_error', 'upstream_failed', 'connection_failed', 'upstream_timeout'];

const wrongAddress = (field: string) => {
  const message = `"${field}" is an address of this service, but not the webhook URL of the account's connection. Send the "webhookUrl" that GET /v1/connections shows for the connection.`;
  return invalidInput(field, 'webhookUrl', message);
};

const tooMany = () =>
  new ServiceError(
    'conflict',
    `The account already has the maximum of ${MAX_SUBSCRIPTIONS} webhook subscriptions. Delete a subscription that you no longer use.`,
  );

/** Returns true for an error of a tool call after which the upstream has certainly created no subscription. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ServiceError) || isFinal(error)) return false;
  return (
    !UNKNOWN_OUTCOMES.includes(error.code) ||
    error.reason === 'input_rejected' ||
    error.reason === 'call_rejected'
  );
}

/**
 * Throws conflict if the account has the maximum number of subscriptions. Locks the application's row, so that
 * concurrent calls cannot exceed the maximum.
 */
async function checkCount(tables: Tables, row: WebhookSubscriptionRow): Promise<void> {
  await tables.applications.lock(row.applicationId);
  const stored = await tables.webhookSubscriptions.list(row, { limit: MAX_SUBSCRIPTIONS });
  if (stored.length >= MAX_SUBSCRIPTIONS) throw tooMany();
}

/**
 * Creates the function that keeps the stored subscriptions equal to those at the upstream. It runs around tool calls
 * that create or delete a webhook subscription. If such a call contains the connection's webhook URL, the upstream gets
 * that URL with a new secret key appended. The subscription is stored before the call, so that a crash leaves no
 * unknown subscription at the upstream.
 */
export function createFollowCalls(parts: FollowCallsParts): FollowCall {
  const { catalog, storage, commit, digest, environmentUrl, now, random } = parts;
  const all = [...catalog.connectors.values()].flatMap(({ webhooks }) => webhooks ?? []);
  const creating = new Map(all.map((webhooks) => [webhooks.create.tool, webhooks]));
  const deleting = new Map(all.map((webhooks) => [webhooks.delete.tool, webhooks]));

  function replaceUrl({ tool, version, input }: ReadyCall, { create }: Webhooks, url: string) {
    try {
      return catalog.validateInput(tool, version, { ...input, [create.url]: url }).input;
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      throw new ServiceError(
        'connection_not_configured',
        `The upstream does not accept the webhook URL of this service: ${error.message} Ask the operator to set SVC_ENVIRONMENT_URL to a shorter https URL.`,
        undefined,
        { cause: error },
      );
    }
  }

  async function insert(row: WebhookSubscriptionRow): Promise<void> {
    await commit(async (tables, audit) => {
      await checkCount(tables, row);
      await tables.webhookSubscriptions.insert(row);
      const { applicationId, id: object, trigger: reason } = row;
      audit({ action: 'webhook_subscription.created', applicationId, object, reason });
    });
  }

  async function remove(row: WebhookSubscriptionRow): Promise<void> {
    await commit(async (tables, audit) => {
      if (!(await tables.webhookSubscriptions.delete(row))) return;
      const { applicationId, id: object, trigger: reason } = row;
      audit({ action: 'webhook_subscription.deleted', applicationId, object, reason });
    });
  }

  async function begin(call: ReadyCall, webhooks: Webhooks): Promise<FollowedCall> {
    const { account, input } = call;
    const key = newSubscriptionKey(digest, account.connectionId, random);
    const url = `${webhookUrlOf(environmentUrl, account.connectionId)}/${key}`;
    const replaced = replaceUrl(call, webhooks, url);
    const row: WebhookSubscriptionRow = {
      ...ownerOf(account),
      id: newId('sub', random),
      connectionId: account.connectionId,
      trigger: String(input[webhooks.create.trigger]),
      keyDigest: digestOfKey(digest, key),
      upstreamId: null,
      createdAt: now(),
      receivedAt: null,
    };
    await insert(row);
    return {
      input: replaced,
      succeed: async (data) => {
        const upstreamId = readUpstreamId(webhooks, data);
        if (upstreamId === undefined) return;
        await retryWhileUnavailable(() => storage.webhookSubscriptions.confirm(row, upstreamId), STORE_MS);
      },
      fail: async (error) => {
        if (isRefused(error)) await remove(row);
      },
    };
  }

  function end({ account, input }: ReadyCall, webhooks: Webhooks): FollowedCall {
    const upstreamId = String(input[webhooks.delete.id]);
    const recordEnd = () =>
      retryWhileUnavailable(async () => {
        const row = await storage.webhookSubscriptions.findByUpstreamId(ownerOf(account), upstreamId);
        if (row) await remove(row);
      }, STORE_MS);
    return {
      input,
      succeed: recordEnd,
      // An earlier call may have deleted the subscription without recording it.
      fail: async (error) => {
        if (isGone(error)) await recordEnd();
      },
    };
  }

  return function followCall(call) {
    const ended = deleting.get(call.tool.name);
    if (ended) return end(call, ended);
    const created = creating.get(call.tool.name);
    const url = created && call.input[created.create.url];
    if (created === undefined || typeof url !== 'string') return undefined;
    if (url === webhookUrlOf(environmentUrl, call.account.connectionId)) return begin(call, created);
    if (url.startsWith(environmentUrl + HOOKS_PATH)) throw wrongAddress(created.create.url);
    return undefined;
  };
}
