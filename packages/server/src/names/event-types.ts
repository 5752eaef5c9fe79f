/** Types of the events that the service reports to applications. Their data is described in schemas/events/. */
export const EVENT_TYPES = [
  'account.authorized',
  'account.pending_verification',
  'account.reauthorization_required',
  'account.deleted',
  'connection.changed',
  'approval.requested',
  'approval.decided',
  'execution.failed',
  'endpoint.disabled',
  'watch.item_created',
  'watch.item_changed',
  'watch.item_deleted',
  'watch.failed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Type of an event that an upstream sent by a webhook: the id of the connector, a dot, and the trigger. */
export type UpstreamEventType = `${string}.${string}`;

/** Returns whether the service itself reports events of this type. */
export const isOwnType = (type: string): type is EventType => EVENT_TYPES.some((own) => own === type);

export type AnyEventType = EventType | UpstreamEventType;

/** Types of the service's own events that contain data of an upstream. */
const WITH_ITEM: readonly string[] = ['watch.item_created', 'watch.item_changed'] satisfies EventType[];

/** Returns whether events of this type can have an encrypted payload, which is stored apart from their body. */
export const mayHavePayload = (type: string): boolean => !isOwnType(type) || WITH_ITEM.includes(type);

interface WithTriggers {
  readonly id: string;
  readonly webhooks?: { readonly triggers: Readonly<Record<string, unknown>> };
}

export const upstreamEventType = (connector: string, trigger: string): UpstreamEventType =>
  `${connector}.${trigger}`;

/** Lists the types of all events: those of the service, and those of the webhooks of these connectors. */
export const listEventTypes = (connectors: Iterable<WithTriggers>): readonly AnyEventType[] => [
  ...EVENT_TYPES,
  ...[...connectors].flatMap(({ id, webhooks }) =>
    Object.keys(webhooks?.triggers ?? {}).map((trigger) => upstreamEventType(id, trigger)),
  ),
];
