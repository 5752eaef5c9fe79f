import { fullName } from './actor.js';
import type { Account, Run } from './runs.js';

/** Proxy password that actors write into their log, so that tests can check that it is masked. */
const PROXY_PASSWORD = 'apify_proxy_sandboxPassword0123456789';

/** Builds the log of a run as text, with a line for each item. */
export function logOf(account: Account, run: Run): string {
  const { actor, startedAt, seconds, datasetId } = run;
  const status = account.status(run);
  const at = (second: number) => new Date(startedAt + second * 1000).toISOString();
  const begin = [
    `${at(0)} ACTOR: Creating container.`,
    `${at(0)} INFO  ${fullName(actor)} begins.`,
    `${at(0)} DEBUG Proxy: http://auto:${PROXY_PASSWORD}@proxy.apify.com:8000`,
  ];
  const items = (account.items(datasetId) ?? []).map(
    (_, index) => `${at(1)} INFO  Stored item ${index + 1}.`,
  );
  const end = status === 'RUNNING' ? [] : [`${at(seconds)} ACTOR: The run is ${status}.`];
  return [...begin, ...items, ...end].map((line) => `${line}\n`).join('');
}
