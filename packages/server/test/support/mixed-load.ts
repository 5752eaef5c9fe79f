import { setTimeout as wait } from 'node:timers/promises';
import type { Application } from '../application.js';

export const CALLERS = 4;
// Pause between calls in ms. Two of five calls reach the upstream, so 4 callers stay below its limit of 600 calls per
// minute.
const PAUSE_MS = 200;

/** Calls that each caller repeats in this order: proxy, tool, create and delete an account, list executions. */
const kindsOfCalls = (accountId: string, name: string) =>
  [
    ['GET', '/v1/proxy/calendar/user_42/calendar/v3/users/me/calendarList'],
    ['POST', '/v1/tools/calendar_list_calendars/execute', { connectedAccountId: accountId, toolInput: {} }],
    ['PUT', `/v1/connections/calendar/accounts/${name}`, {}],
    ['DELETE', `/v1/connections/calendar/accounts/${name}`],
    ['GET', '/v1/executions?pageSize=5'],
  ] as const;

export interface MixedLoad {
  /** Account of `calendar` with the identifier `user_42`. */
  readonly accountId: string;
  /** Called before every request, because access tokens expire after 15 minutes. */
  readonly application: () => Promise<Application>;
  readonly isOver: () => boolean;
  /** Returns whether calls may fail now. Default: never. */
  readonly isDisturbed?: () => boolean;
}

interface Outcome {
  readonly calls: number;
  /** Failed calls that did not overlap a disturbance at their start or at their end. */
  readonly failures: readonly string[];
}

/** Counts a connection error as a failed call: a response that the upstream breaks off is broken off here too. */
const brokenOff = (error: unknown) => ({ status: 0, text: String(error) });

/** Sends calls at a steady rate, as an application with several users does, until `isOver` returns true. */
export async function callAlternately(load: MixedLoad): Promise<Outcome> {
  const { accountId, application, isOver, isDisturbed = () => false } = load;
  const failures: string[] = [];
  let calls = 0;
  async function callRepeatedly(name: string): Promise<void> {
    const kinds = kindsOfCalls(accountId, name);
    for (let round = 0; !isOver(); round += 1) {
      const [method, path, body] = kinds[round % kinds.length] ?? kinds[0];
      const { call } = await application();
      // A call that began during a fault may end long after it.
      const wasDisturbed = isDisturbed();
      const reply = await call(method, path, { body }).catch(brokenOff);
      calls += 1;
      const isRefused = reply.status < 200 || reply.status >= 300;
      if (isRefused && !wasDisturbed && !isDisturbed()) failures.push(`${method} ${path}: ${reply.text}`);
      await wait(PAUSE_MS);
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => callRepeatedly(`soaked-${index}`)));
  return { calls, failures };
}
