/**
 * Subscription of an account to webhooks from its upstream. The upstream sends a payload for each event of the type in
 * the column `trigger`.
 */
export interface WebhookSubscriptionRow {
  id: string;
  applicationId: string;
  accountId: string;
  /** Id of the connection to which the account belongs. */
  connectionId: string;
  trigger: string;
  /**
   * Keyed digest of the secret key in the URL that the upstream calls for this subscription. The key itself is not
   * stored.
   */
  keyDigest: string;
  /** Id that the upstream gave the subscription. `null` until the upstream has confirmed it. */
  upstreamId: string | null;
  createdAt: number;
  /** Time when the last payload arrived, in milliseconds since 1970. `null` before the first payload. */
  receivedAt: number | null;
}

/** Receipt of a webhook payload that arrived for a subscription. By it, the service recognizes a repeated delivery. */
export interface WebhookReceiptRow {
  applicationId: string;
  subscriptionId: string;
  /** Keyed digest of the delivery id in the payload. If the upstream sends no delivery id, digest of the whole body. */
  digest: string;
  at: number;
}
