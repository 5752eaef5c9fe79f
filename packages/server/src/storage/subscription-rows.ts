/** Subscription of an account to a trigger of its upstream's webhooks. */
export interface WebhookSubscriptionRow {
  id: string;
  applicationId: string;
  accountId: string;
  /** Connection of the account. */
  connectionId: string;
  trigger: string;
  /** Keyed digest of the key in the subscription's address. The key itself is not stored. */
  keyDigest: string;
  /** Id of the subscription at the upstream; `null` until the upstream has confirmed it. */
  upstreamId: string | null;
  createdAt: number;
  /** Time of the last payload; `null` before the first. */
  receivedAt: number | null;
}

/** Payload that a subscription got, so that a repeated delivery is recognized. */
export interface WebhookReceiptRow {
  applicationId: string;
  subscriptionId: string;
  /** Keyed digest of the id of the delivery, or of its body. */
  digest: string;
  at: number;
}
