/**
 * Subscription of one account to webhooks of its upstream. The upstream sends a payload for each event of the type in
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
  /** Id that the upstream gave the subscription; `null` until the upstream has confirmed the subscription. */
  upstreamId: string | null;
  createdAt: number;
  /** Time when the last payload arrived; `null` before the first payload. */
  receivedAt: number | null;
}

/** Record of a webhook payload that a subscription received, by which a repeated delivery is recognized. */
export interface WebhookReceiptRow {
  applicationId: string;
  subscriptionId: string;
  /** Keyed digest of the delivery id in the payload, or of the whole body if the upstream sends no delivery id. */
  digest: string;
  at: number;
}
