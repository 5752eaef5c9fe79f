import { type EndpointReasons, reasonsOf } from '../names/endpoint-reasons.js';
import type { AnyEventType } from '../names/event-types.js';
import { etagOf } from '../records/etag.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import { isoTime } from '../text/iso-time.js';
import { readTypes } from './read-types.js';

/** Settings of a webhook endpoint. An update leaves absent settings unchanged. */
export interface EndpointSettings {
  readonly url?: string;
  readonly types?: readonly AnyEventType[];
  /** Name of the connection whose events the endpoint gets. `null`: it gets the events of all connections. */
  readonly connectionName?: string | null;
  readonly description?: string;
  readonly ordered?: boolean;
  readonly enabled?: boolean;
}

export interface NewEndpoint extends EndpointSettings {
  readonly url: string;
  readonly types: readonly AnyEventType[];
}

/** Webhook endpoint as the API returns it, without its signing secret. */
export interface WebhookEndpoint extends EndpointReasons {
  readonly id: string;
  readonly url: string;
  readonly types: readonly AnyEventType[];
  readonly connectionName?: string;
  readonly description?: string;
  readonly ordered: boolean;
  readonly enabled: boolean;
  readonly failingSince?: string;
  readonly previousSecretExpiresAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly etag: string;
}

/**
 * Returns the ETag of an endpoint's settings. `enabled` does not affect it, because the service itself may disable the
 * endpoint.
 */
export const etagOfEndpoint = (row: WebhookEndpointRow): string =>
  etagOf(row.id, row.url, row.types, row.connectionName, row.description, row.ordered);

/**
 * Returns a webhook endpoint as the API returns it. `now`: current time in milliseconds since 1970, which decides
 * whether the replaced signing secret is still valid.
 */
export function toEndpoint(row: WebhookEndpointRow, now: number): WebhookEndpoint {
  const { id, url, connectionName, description, failingSince, previousSecretUntil } = row;
  const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
  return {
    id,
    url,
    types: readTypes(row.types),
    ...(connectionName !== null && { connectionName }),
    ...(description !== null && { description }),
    ordered: row.ordered === 1,
    enabled: row.enabled === 1,
    ...reasonsOf(row.disabledReason),
    ...(failingSince !== null && { failingSince: isoTime(failingSince) }),
    ...(isRotating && { previousSecretExpiresAt: isoTime(previousSecretUntil) }),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    etag: etagOfEndpoint(row),
  };
}
