import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { Commit } from '../records/commit.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WebhookEndpointChange } from '../storage/webhook-endpoints-table.js';
import { newId, type Random } from '../text/random.js';
import type { Vault } from '../vault/vault.js';
import type { CheckTypes } from './check-types.js';
import type { CheckAddress } from './endpoint-address.js';
import { newSigningSecret, openSecret, sealSecret, signingSecretLocation } from './endpoint-secrets.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { ServiceEvents } from './service-events.js';
import {
  type EndpointSettings,
  type NewEndpoint,
  toEndpoint,
  type WebhookEndpoint,
} from './webhook-endpoint.js';

export interface EndpointWithSecret extends WebhookEndpoint {
  readonly secret: string;
}

export interface RotationOptions {
  /** Time in seconds for which the replaced signing secret still signs deliveries too. Default: one day. */
  readonly oldSecretExpiresIn?: number;
}

export interface WebhookEndpointsParts {
  readonly storage: Pick<Storage, 'eventDeliveries' | 'webhookEndpoints'>;
  /** Throws `connection_not_found` if the application has no connection with the name. */
  readonly findConnection: (applicationId: string, name: string) => Promise<unknown>;
  readonly commit: Commit;
  readonly vault: Pick<Vault, 'open' | 'seal'>;
  readonly checkAddress: CheckAddress;
  readonly checkTypes: CheckTypes;
  readonly serviceEvents: Pick<ServiceEvents, 'notify'>;
  readonly now: () => number;
  readonly random: Random;
}

export const MAX_ENDPOINTS = 100;
const DELETED_AT_ONCE = 500;
const DAY_SECONDS = 86_400;

export const endpointNotFound = (id: string) =>
  new ServiceError(
    'not_found',
    `There is no webhook endpoint "${id}". GET /v1/webhook-endpoints lists the endpoints.`,
  );

const tooMany = () =>
  new ServiceError(
    'conflict',
    `The application already has the maximum of ${MAX_ENDPOINTS} webhook endpoints. Delete an endpoint that you no longer use.`,
  );

const rotatedMeanwhile = () =>
  new ServiceError(
    'conflict',
    'Another request has replaced the signing secret meanwhile, so this request changed nothing. Use the secret of the other request, or rotate the secret again.',
  );

/**
 * Returns the columns that change when a caller enables or disables an endpoint. `enabledSince` changes only if the
 * endpoint was disabled.
 */
const enabledColumns = (row: WebhookEndpointRow, enabled: boolean, now: number): WebhookEndpointChange => ({
  enabled: Number(enabled),
  disabledReason: null,
  failingSince: null,
  ...(enabled && row.enabled === 0 && { enabledSince: now }),
});

/**
 * Throws `conflict` if the application has the maximum number of endpoints. Locks the application's row, so that
 * concurrent requests cannot exceed the maximum.
 */
async function checkCount({ applications, webhookEndpoints }: Tables, applicationId: string): Promise<void> {
  await applications.lock(applicationId);
  const stored = await webhookEndpoints.list(applicationId, { limit: MAX_ENDPOINTS });
  if (stored.length >= MAX_ENDPOINTS) throw tooMany();
}

/** Creates the operations on an application's webhook endpoints. */
export function createWebhookEndpoints(parts: WebhookEndpointsParts) {
  const { storage, findConnection, commit, vault, checkAddress, checkTypes, serviceEvents, now, random } =
    parts;
  const show = (row: WebhookEndpointRow) => toEndpoint(row, now());

  async function find(applicationId: string, id: string): Promise<WebhookEndpointRow> {
    const row = await storage.webhookEndpoints.find(applicationId, id);
    if (row) return row;
    throw endpointNotFound(id);
  }

  /** Throws `connection_not_found` if the application has no connection with the name to which an endpoint is limited. */
  async function checkConnection(applicationId: string, name: string | null): Promise<string | null> {
    if (name !== null) await findConnection(applicationId, name);
    return name;
  }

  async function create(applicationId: string, input: NewEndpoint): Promise<EndpointWithSecret> {
    const { types, connectionName = null, description = null, ordered = false, enabled = true } = input;
    checkTypes(types, 'types');
    await checkConnection(applicationId, connectionName);
    const url = await checkAddress(input.url);
    const key = { applicationId, id: newId('ep', random) };
    const value = newSigningSecret(random);
    const time = now();
    const row: WebhookEndpointRow = {
      ...key,
      url,
      description,
      types: JSON.stringify(types),
      connectionName,
      ordered: Number(ordered),
      enabled: Number(enabled),
      enabledSince: time,
      disabledReason: null,
      secret: await sealSecret(vault, key, { column: 'secret', value }),
      previousSecret: null,
      previousSecretUntil: null,
      failingSince: null,
      createdAt: time,
      updatedAt: time,
    };
    await commit(async (tables, audit) => {
      await checkCount(tables, applicationId);
      await tables.webhookEndpoints.insert(row);
      const { id: object } = key;
      audit({ action: 'webhook_endpoint.created', applicationId, object, reason: new URL(url).origin });
    });
    return { ...show(row), secret: value };
  }

  /**
   * Stores changed columns of an endpoint together with an audit event. `toColumns` gets the locked endpoint, which a
   * concurrent request may have changed meanwhile. Throws `conflict` if `ifMatch` is not the endpoint's ETag.
   */
  async function change(
    { applicationId, id }: Pick<WebhookEndpointRow, 'applicationId' | 'id'>,
    toColumns: (before: WebhookEndpointRow) => WebhookEndpointChange,
    event: {
      readonly action: 'webhook_endpoint.changed' | 'webhook_endpoint.secret_rotated';
      readonly reason?: string;
    },
    ifMatch?: string,
  ): Promise<WebhookEndpoint> {
    const row = await commit(async (tables, audit) => {
      const before = await lockEndpoint(tables, { applicationId, id }, ifMatch);
      if (before === undefined) throw endpointNotFound(id);
      const columns = toColumns(before);
      const changed = await tables.webhookEndpoints.change(
        { applicationId, id },
        { ...columns, updatedAt: now() },
      );
      if (changed === undefined) return undefined;
      audit({ ...event, applicationId, object: id });
      if (columns.ordered === 0) await tables.deliveryQueue.releaseAll({ applicationId, id }, now());
      else if (columns.disabledReason === null)
        await tables.deliveryQueue.releaseFirst({ applicationId, id }, now());
      return changed;
    });
    if (!row) throw endpointNotFound(id);
    // Reports that deliveries may be due, for example because the change enabled the endpoint.
    serviceEvents.notify();
    return show(row);
  }

  /** Changes the settings of an endpoint. Throws `conflict` if `ifMatch` is not the endpoint's ETag. */
  async function update(
    applicationId: string,
    id: string,
    settings: EndpointSettings,
    ifMatch?: string,
  ): Promise<WebhookEndpoint> {
    const row = await find(applicationId, id);
    const { url, types, connectionName, description, ordered, enabled } = settings;
    const columns: WebhookEndpointChange = {
      ...(url !== undefined && { url: await checkAddress(url), failingSince: null }),
      ...(types !== undefined && { types: JSON.stringify(checkTypes(types, 'types')) }),
      ...(connectionName !== undefined && {
        connectionName: await checkConnection(applicationId, connectionName),
      }),
      ...(description !== undefined && { description }),
      ...(ordered !== undefined && { ordered: Number(ordered) }),
    };
    const toColumns = (before: WebhookEndpointRow) => ({
      ...columns,
      ...(enabled !== undefined && enabledColumns(before, enabled, now())),
    });
    const reason = Object.keys(settings).join();
    return change(row, toColumns, { action: 'webhook_endpoint.changed', reason }, ifMatch);
  }

  /**
   * Replaces the signing secret. For a while, the replaced secret signs deliveries too, so that receivers can switch
   * without rejecting any. If the replaced secret cannot be decrypted, only the new one signs, and a paused endpoint
   * gets deliveries again.
   */
  async function rotateSecret(
    applicationId: string,
    id: string,
    { oldSecretExpiresIn = DAY_SECONDS }: RotationOptions,
  ): Promise<EndpointWithSecret> {
    const row = await find(applicationId, id);
    const value = newSigningSecret(random);
    const previous =
      oldSecretExpiresIn === 0
        ? undefined
        : await openSecret(vault, signingSecretLocation(row, 'secret'), row.secret);
    const columns = {
      secret: await sealSecret(vault, row, { column: 'secret', value }),
      previousSecret:
        previous === undefined
          ? null
          : await sealSecret(vault, row, { column: 'previous_secret', value: previous.reveal() }),
      previousSecretUntil: previous === undefined ? null : now() + oldSecretExpiresIn * 1000,
    };
    const toColumns = ({ secret, disabledReason }: WebhookEndpointRow) => {
      if (secret !== row.secret) throw rotatedMeanwhile();
      return { ...columns, ...(disabledReason === 'secret_unreadable' && { disabledReason: null }) };
    };
    const endpoint = await change(row, toColumns, { action: 'webhook_endpoint.secret_rotated' });
    return { ...endpoint, secret: value };
  }

  /** Disables an endpoint, deletes its deliveries in batches, and then deletes the endpoint. */
  async function remove(applicationId: string, id: string): Promise<void> {
    const key = { applicationId, id };
    await commit(async (tables, audit) => {
      const row = await tables.webhookEndpoints.change(key, { enabled: 0, updatedAt: now() });
      if (!row) throw endpointNotFound(id);
      const reason = new URL(row.url).origin;
      audit({ action: 'webhook_endpoint.deleted', applicationId, object: id, reason });
    });
    const slice = { endpointId: id, most: DELETED_AT_ONCE };
    while (await storage.eventDeliveries.deleteSome(applicationId, slice));
    await storage.webhookEndpoints.delete(key);
  }

  async function list(applicationId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    const cursor = readCursor(page);
    const rows = await storage.webhookEndpoints.list(applicationId, {
      after: cursor && { createdAt: cursor.at, id: cursor.id },
      limit: pageSizeOf(page) + 1,
    });
    return toPage(rows, page, {
      keys: ({ createdAt, id }) => [String(createdAt), id],
      item: show,
    });
  }

  const get = async (applicationId: string, id: string): Promise<WebhookEndpoint> =>
    show(await find(applicationId, id));

  return { create, list, get, update, rotateSecret, delete: remove };
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;
