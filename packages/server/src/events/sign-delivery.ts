import { createHmac } from 'node:crypto';
import type { Secret } from '../secret.js';

export interface SignedMessage {
  /** Id of the event. All attempts send the same id, so that receivers recognize repetitions. */
  readonly id: string;
  /** Time of the delivery attempt, in milliseconds since 1970. The signature covers it. */
  readonly at: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

const sign = (secret: Secret, content: string): string =>
  createHmac('sha256', Buffer.from(secret.reveal().slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');

/**
 * Returns the headers that Standard Webhooks defines, as alternating names and values. The signature header contains
 * one signature per secret.
 */
export function signatureHeaders({ id, at, body }: SignedMessage, secrets: readonly Secret[]): string[] {
  const timestamp = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`);
  return [
    'webhook-id',
    id,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signatures.join(' '),
  ];
}
