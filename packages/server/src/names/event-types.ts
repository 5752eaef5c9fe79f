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
  'endpoint.tested',
  'watch.item_created',
  'watch.item_changed',
  'watch.item_deleted',
  'watch.failed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/**
 * Type of an event that an upstream sent by a webhook: the id of the connector, a dot, and the name of the trigger,
 * which is the kind of event at the upstream.
 */
export type UpstreamEventType = `${string}.${string}`;

export type AnyEventType = EventType | UpstreamEventType;

interface WithTriggers {
  readonly id: string;
  readonly webhooks?: { readonly triggers: Readonly<Record<string, unknown>> };
}

export const upstreamEventType = (connector: string, trigger: string): UpstreamEventType =>
  `${connector}.${trigger}`;

/** Lists the types of the events that webhooks from a connector's upstream cause. */
export const eventTypesOf = ({ id, webhooks }: WithTriggers): readonly UpstreamEventType[] =>
  Object.keys(webhooks?.triggers ?? {}).map((trigger) => upstreamEventType(id, trigger));

/** Lists the types of all events: those of the service, and those of the webhooks of these connectors. */
export const listEventTypes = (connectors: Iterable<WithTriggers>): readonly AnyEventType[] => [
  ...EVENT_TYPES,
  ...[...connectors].flatMap(eventTypesOf),
];
