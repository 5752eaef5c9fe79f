import type { WebhookTrigger } from './organization.js';
import type { Organization } from './seed.js';

const TIMEOUT_MS = 10_000;
/** Number of attempts after network errors and responses other than 2xx. */
const ATTEMPTS = 3;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether the sandbox sends to the address. It must never send anything to the internet. */
export const isLoopback = (url: string): boolean => LOOPBACK.includes(URL.parse(url)?.hostname ?? '');

async function post(url: string, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'sandbox-webhooks' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function deliver(url: string, body: string): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) if (await post(url, body)) return true;
  return false;
}

/**
 * Sends a payload to the webhooks of an organization for this trigger. Returns the number of webhooks that responded
 * with 2xx.
 */
export async function sendWebhooks(
  { webhooks }: Organization,
  trigger: WebhookTrigger,
  payload: object,
): Promise<number> {
  const body = JSON.stringify(payload);
  const urls = [...webhooks.values()].filter((webhook) => webhook.trigger === trigger).map(({ url }) => url);
  const outcomes = await Promise.all(urls.filter(isLoopback).map((url) => deliver(url, body)));
  return outcomes.filter(Boolean).length;
}
