import type { TestProject } from 'vitest/node';
import type { Subjects } from './addresses.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { signIn } from './operator.ts';
import { receiveWebhooks } from './receive-webhooks.ts';
import { seed } from './seed.ts';
import { startService } from './start-service.ts';

/** The shared service, browser and data of the page tests. */
export interface Stage {
  /** The base URL of the service. */
  readonly url: string;
  /** The output of the service at its first start. */
  readonly printed: string;
  readonly database: string;
  readonly password: string;
  /** The path parameters of existing objects. */
  readonly subjects: Subjects;
  /** The WebSocket URL of the browser. */
  readonly browser: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `undefined` without Chromium. */
    readonly stage: Stage | undefined;
  }
}

const PASSWORD = 'orchid-battery-7';

async function openStage(chromium: string, defer: (end: () => Promise<void>) => void): Promise<Stage> {
  const receiver = await receiveWebhooks();
  defer(receiver.stop);
  const service = await startService({
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  });
  defer(service.stop);
  const browser = await launchChromium(chromium);
  defer(() => browser.close());
  const { url, printed, database } = service;
  const operator = await signIn({ url, password: PASSWORD });
  const subjects = await seed(operator, { url, receiver: receiver.origin });
  return { url, printed, database, password: PASSWORD, subjects, browser: browser.wsEndpoint() };
}

/** Starts one service and one browser for all tests of a run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(ends.map((end) => end()));
  };
  const chromium = findChromium();
  if (chromium === undefined)
    process.stderr.write(
      'Chromium is missing, so the browser tests are skipped. Install Chromium, or set CHROMIUM_PATH to its program.\n',
    );
  try {
    const stage = chromium && (await openStage(chromium, (end) => ends.push(end)));
    project.provide('stage', stage || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
