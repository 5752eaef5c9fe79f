/** Reason why the service stopped the deliveries to a webhook endpoint, as the database stores it. */
export type StoredReason = 'gone' | 'failing' | 'secret_unreadable';

/** Reason why the service disabled or paused a webhook endpoint, as the API shows it. */
export interface EndpointReasons {
  readonly disabledReason?: Exclude<StoredReason, 'secret_unreadable'>;
  readonly pausedReason?: 'secret_unreadable';
}

export function reasonsOf(reason: StoredReason | null): EndpointReasons {
  if (reason === null) return {};
  return reason === 'secret_unreadable' ? { pausedReason: reason } : { disabledReason: reason };
}
