import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { EndSubscriptions } from '../connections/end-subscriptions.js';
import { createEndSubscriptions } from '../subscriptions/end-subscriptions.js';
import { createReceiveWebhook } from '../subscriptions/receive-webhook.js';
import { createWebhookSubscriptions } from '../subscriptions/webhook-subscriptions.js';
import type { Execute } from '../tools/execute.js';
import { createCalls } from './calls.js';
import type { Parts } from './parts.js';

const random = randomBytes;

const createEnd = ({ core, catalog, storage }: Parts, execute: Execute) =>
  createEndSubscriptions({ catalog, storage, commit: core.commit, execute, random });

/**
 * Creates the components for webhooks that upstreams send: the webhook subscriptions of accounts, and the receiver of
 * payloads.
 */
export function createSubscriptions(
  parts: Parts,
  { environmentUrl, execute }: { readonly environmentUrl: string; readonly execute: Execute },
) {
  const { core, catalog, digest, now, serviceEvents, storage } = parts;
  const { commit, vault } = core;
  parts.useEndSubscriptions(createEnd(parts, execute));
  return {
    webhookSubscriptions: createWebhookSubscriptions({ catalog, storage, commit, execute, environmentUrl }),
    receiveWebhook: createReceiveWebhook({ catalog, storage, serviceEvents, vault, digest, now, random }),
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/**
 * Creates the function by which a command of the CLI ends webhook subscriptions at upstreams. The upstream calls that
 * it makes are not recorded as executions.
 */
export function createEndSubscriptionsOfCommand(parts: Parts, config: Config): EndSubscriptions {
  const { execute } = createCalls(parts, {
    config,
    version: '',
    executionLog: { record: () => undefined },
    approvals: { runWithApproval: (_, run) => run() },
    metrics: undefined,
  });
  return createEnd(parts, execute);
}
