import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Stage } from './global-setup.ts';
import { type Operator, signIn } from './operator.ts';
import { storageStateOf } from './storage-state.ts';

export type Theme = 'light' | 'dark';

export interface VisitOptions {
  readonly theme?: Theme;
  /** Of the window; 1280 when not given. */
  readonly width?: number;
  readonly locale?: string;
  /** Who is signed in already. */
  readonly as?: Operator;
  /** Another service than that of all tests. */
  readonly url?: string;
  /** Whether the browser keeps to the policy of the page. */
  readonly hasPolicy?: boolean;
}

export interface Visit {
  readonly page: Page;
  /** What went wrong unseen: errors on the console and in scripts, and what the policy of the page refused. */
  readonly problems: string[];
}

/** As vitest has it. */
type Finish = (end: () => Promise<void>) => void;

export function stage(): Stage {
  const found = inject('stage');
  if (found === undefined) throw new Error('There is no Chromium.');
  return found;
}

let browser: Promise<Browser> | undefined;
let operator: Promise<Operator> | undefined;

async function openContext(options: VisitOptions): Promise<BrowserContext> {
  const {
    theme = 'light',
    width = 1280,
    locale = 'en-GB',
    as,
    url = stage().url,
    hasPolicy = true,
  } = options;
  browser ??= chromium.connect(stage().browser);
  return (await browser).newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
    locale,
    bypassCSP: !hasPolicy,
    // As every page may in whose window somebody clicks; without windows the browser has to be told.
    permissions: ['clipboard-write'],
    ...(as && { storageState: storageStateOf(as, url) }),
  });
}

/** The first operator of the service of all tests. */
export const owner = (): Promise<Operator> => {
  operator ??= signIn(stage());
  return operator;
};

async function hear(context: BrowserContext, problems: string[]): Promise<void> {
  // The browser reports what the policy refuses to the console, too, but not of every kind.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      reportError(`The policy refused ${violatedDirective}: ${blockedURI}`),
    );
  });
  context.on('console', (message) => {
    const { url } = message.location();
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.text()} (${url})`);
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
}

/** A person with a browser of their own, which is closed when the test is over. */
export async function visit(finish: Finish, options: VisitOptions = {}): Promise<Visit> {
  const context = await openContext(options);
  finish(() => context.close());
  const problems: string[] = [];
  await hear(context, problems);
  return { page: await context.newPage(), problems };
}
