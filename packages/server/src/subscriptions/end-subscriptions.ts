import type { Catalog } from '@svc/catalog';
import type { EndSubscriptions } from '../connections/end-subscriptions.js';
import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import type { WebhookSubscriptionRow } from '../storage/subscription-rows.js';
import { newId, type Random } from '../text/random.js';
import type { Execute } from '../tools/execute.js';
import {
  isGone,
  MAX_SUBSCRIPTIONS,
  ownerOf,
  type SubscribedAccount,
  toDeleteInput,
} from './webhook-subscription.js';

export interface EndSubscriptionsParts {
  readonly catalog: Pick<Catalog, 'connectors' | 'selectVersion' | 'tools'>;
  readonly storage: Pick<Storage, 'webhookSubscriptions'>;
  readonly commit: Commit;
  readonly execute: Execute;
  readonly random: Random;
}

/**
 * Maximum milliseconds for deleting all webhook subscriptions of an account at the upstream. The deletion of the
 * account waits for it.
 */
const MAX_MS = 10_000;
const AT_ONCE = 4;

const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : 'internal_error');

/**
 * Creates the function that deletes an account's webhook subscriptions, in the database and at the upstream. It runs
 * before the account loses its access. Failures at the upstream are recorded in the audit log and do not stop the
 * deletion.
 */
export function createEndSubscriptions(parts: EndSubscriptionsParts): EndSubscriptions {
  const { catalog, storage, commit, execute, random } = parts;

  /** Deletes a webhook subscription at the upstream. Resolves to `undefined`, or to the reason why that failed. */
  async function endUpstream(
    { applicationId, id, connector }: SubscribedAccount,
    { upstreamId }: WebhookSubscriptionRow,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const webhooks = catalog.connectors.get(connector)?.webhooks;
    if (upstreamId === null || webhooks === undefined) return 'unconfirmed';
    try {
      await execute({
        applicationId,
        connectedAccountId: id,
        toolName: webhooks.delete.tool,
        toolInput: toDeleteInput(catalog, webhooks, upstreamId),
        requestId: newId('req', random),
        isOfService: true,
        signal,
      });
      return undefined;
    } catch (error) {
      return isGone(error) ? undefined : codeOf(error);
    }
  }

  async function forget(row: WebhookSubscriptionRow, failure: string | undefined): Promise<void> {
    const { applicationId, id: object, trigger } = row;
    await commit(async (tables, audit) => {
      const isDeleted = await tables.webhookSubscriptions.delete(row);
      if (failure !== undefined)
        audit({
          action: 'webhook_subscription.left_upstream',
          applicationId,
          object,
          result: 'refused',
          reason: `${row.upstreamId ?? trigger}: ${failure}`,
        });
      else if (isDeleted)
        audit({ action: 'webhook_subscription.deleted', applicationId, object, reason: trigger });
    });
  }

  return async function endSubscriptions(account, { isAway = false } = {}) {
    const rows = await storage.webhookSubscriptions.list(ownerOf(account), { limit: MAX_SUBSCRIPTIONS });
    const signal = AbortSignal.timeout(MAX_MS);
    const waiting = rows.values();
    async function work(): Promise<void> {
      for (const row of waiting)
        await forget(row, isAway ? 'upstream_failed' : await endUpstream(account, row, signal));
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, work));
  };
}
