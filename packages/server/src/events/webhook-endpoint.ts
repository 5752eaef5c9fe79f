import type { AnyEventType } from '../names/event-types.js';
import { etagOf } from '../records/etag.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import { isoTime } from '../text/iso-time.js';
import { readTypes } from './read-types.js';

/** Settings of a webhook endpoint. An update leaves absent settings unchanged. */
export interface EndpointSettings {
  readonly url?: string;
  readonly types?: readonly AnyEventType[];
  readonly description?: string;
  readonly ordered?: boolean;
  readonly enabled?: boolean;
}

export interface NewEndpoint extends EndpointSettings {
  readonly url: string;
  readonly types: readonly AnyEventType[];
}

/** Webhook endpoint as the API returns it, without its signing secret. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly AnyEventType[];
  readonly description?: string;
  readonly ordered: boolean;
  readonly enabled: boolean;
  readonly disabledReason?: 'gone' | 'failing';
  readonly pausedReason?: 'secret_unreadable';
  readonly failingSince?: string;
  readonly previousSecretExpiresAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly etag: string;
}

/**
 * Returns the ETag of an endpoint's settings. `enabled` is not part of it, because the service itself may disable the
 * endpoint.
 */
export const etagOfEndpoint = ({ id, url, types, description, ordered }: WebhookEndpointRow): string =>
  etagOf(id, url, types, description, ordered);

/** Returns the reason why the service disabled or paused an endpoint, as the API shows it. */
export function reasonsOf({
  disabledReason,
}: Pick<WebhookEndpointRow, 'disabledReason'>): Pick<WebhookEndpoint, 'disabledReason' | 'pausedReason'> {
  if (disabledReason === null) return {};
  return disabledReason === 'secret_unreadable' ? { pausedReason: disabledReason } : { disabledReason };
}

/**
 * Returns a webhook endpoint as the API returns it. `now` decides whether the replaced signing secret is still valid.
 */
export function toEndpoint(row: WebhookEndpointRow, now: number): WebhookEndpoint {
  const { id, url, description, failingSince, previousSecretUntil } = row;
  const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
  return {
    id,
    url,
    types: readTypes(row.types),
    ...(description !== null && { description }),
    ordered: row.ordered === 1,
    enabled: row.enabled === 1,
    ...reasonsOf(row),
    ...(failingSince !== null && { failingSince: isoTime(failingSince) }),
    ...(isRotating && { previousSecretExpiresAt: isoTime(previousSecretUntil) }),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    etag: etagOfEndpoint(row),
  };
}
