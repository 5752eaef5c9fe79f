import { setTimeout as wait } from 'node:timers/promises';
import type { Application } from '../service/application.js';

export const CALLERS = 4;
// Pause between calls in ms. Two of five calls reach the upstream, so 4 callers stay below its limit of 600 calls per
// minute.
const PAUSE_MS = 200;

/**
 * Returns the calls that each caller repeats in this order: proxy, tool, create and delete an account, list executions.
 */
const kindsOfCalls = (accountId: string, name: string) =>
  [
    ['GET', '/v1/proxy/calendar/user_42/calendar/v3/users/me/calendarList'],
    ['POST', '/v1/tools/calendar_list_calendars/execute', { connectedAccountId: accountId, toolInput: {} }],
    ['PUT', `/v1/connections/calendar/accounts/${name}`, {}],
    ['DELETE', `/v1/connections/calendar/accounts/${name}`],
    ['GET', '/v1/executions?pageSize=5'],
  ] as const;

export interface MixedLoad {
  /** Id of the account of `calendar` whose identifier is `user_42`. */
  readonly accountId: string;
  /** Called before every request, because access tokens expire after 15 minutes. */
  readonly application: () => Promise<Application>;
  readonly isOver: () => boolean;
  /** Returns true while a fault is active, so that calls may fail. Default: never. */
  readonly isDisturbed?: () => boolean;
}

interface Outcome {
  readonly calls: number;
  /** Failed calls for which `isDisturbed` returned false at their start and at their end. */
  readonly failures: readonly string[];
}

/** Turns a connection error into a reply with status 0, which counts as a failed call. */
const brokenOff = (error: unknown) => ({ status: 0, text: String(error) });

/**
 * Sends calls from several callers at a steady rate until `isOver` returns true, as an application with several users
 * does.
 */
export async function callAlternately(load: MixedLoad): Promise<Outcome> {
  const { accountId, application, isOver, isDisturbed = () => false } = load;
  const failures: string[] = [];
  let calls = 0;
  async function callRepeatedly(name: string): Promise<void> {
    const kinds = kindsOfCalls(accountId, name);
    for (let round = 0; !isOver(); round += 1) {
      const [method, path, body] = kinds[round % kinds.length] ?? kinds[0];
      const { call } = await application();
      // Remembers whether a fault was active when the call began, because the call may end after the fault.
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
