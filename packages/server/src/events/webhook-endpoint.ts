import type { AnyEventType } from '../names/event-types.js';
import { etagOf } from '../records/etag.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import { isoTime } from '../text/iso-time.js';
import { readTypes } from './read-types.js';

/** Settings of an endpoint. Absent settings of a change stay as they are. */
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

/** Endpoint as the API returns it, without its secret. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly AnyEventType[];
  readonly description?: string;
  readonly ordered: boolean;
  readonly enabled: boolean;
  readonly disabledReason?: 'gone' | 'failing';
  readonly failingSince?: string;
  readonly previousSecretExpiresAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly etag: string;
}

/** Returns the version of the settings. `enabled` is left out, because the service may disable the endpoint itself. */
export const etagOfEndpoint = ({ id, url, types, description, ordered }: WebhookEndpointRow): string =>
  etagOf(id, url, types, description, ordered);

/** Returns an endpoint as the API shows it. `now` decides whether the previous secret still signs. */
export function toEndpoint(row: WebhookEndpointRow, now: number): WebhookEndpoint {
  const { id, url, description, disabledReason, failingSince, previousSecretUntil } = row;
  const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
  return {
    id,
    url,
    types: readTypes(row.types),
    ...(description !== null && { description }),
    ordered: row.ordered === 1,
    enabled: row.enabled === 1,
    ...(disabledReason !== null && { disabledReason }),
    ...(failingSince !== null && { failingSince: isoTime(failingSince) }),
    ...(isRotating && { previousSecretExpiresAt: isoTime(previousSecretUntil) }),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    etag: etagOfEndpoint(row),
  };
}
