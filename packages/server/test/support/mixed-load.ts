import { setTimeout as wait } from 'node:timers/promises';
import type { Application } from '../application.js';

export const CALLERS = 4;
// Two of five calls reach the upstream, which takes 600 a minute.
const PAUSE_MS = 200;

/** Calls that a caller makes in turn: the proxy, a tool, a short-lived account, and the list of executions. */
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
  /** Asked for each call, because an access token lives for a quarter of an hour. */
  readonly application: () => Promise<Application>;
  readonly isOver: () => boolean;
  /** Returns whether calls may fail now. Default: never. */
  readonly isDisturbed?: () => boolean;
}

interface Outcome {
  readonly calls: number;
  /** Failures outside of a disturbance, both at the start and at the end of the call. */
  readonly failures: readonly string[];
}

/** An answer that breaks off upstream breaks off here too. */
const brokenOff = (error: unknown) => ({ status: 0, text: String(error) });

/** Calls like an application with several users, at an even pace, until it is over. */
export async function callInTurns(load: MixedLoad): Promise<Outcome> {
  const { accountId, application, isOver, isDisturbed = () => false } = load;
  const failures: string[] = [];
  let calls = 0;
  async function keepCalling(name: string): Promise<void> {
    const kinds = kindsOfCalls(accountId, name);
    for (let turn = 0; !isOver(); turn += 1) {
      const [method, path, body] = kinds[turn % kinds.length] ?? kinds[0];
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
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => keepCalling(`soaked-${index}`)));
  return { calls, failures };
}
