import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Stage } from './global-setup.ts';
import { type Operator, signIn } from './operator.ts';
import { storageStateOf } from './storage-state.ts';

export type Theme = 'light' | 'dark';

export interface VisitOptions {
  readonly theme?: Theme;
  /** The width of the window in pixels; 1280 by default. */
  readonly width?: number;
  /** The height of the window in pixels; 800 by default. */
  readonly height?: number;
  readonly locale?: string;
  /** The operator who is signed in. */
  readonly as?: Operator;
  /** The base URL of the service; the shared service by default. */
  readonly url?: string;
  /** False to ignore the content security policy; true by default. */
  readonly hasPolicy?: boolean;
  /** False to run no script of the page, as in a browser without JavaScript; true by default. */
  readonly hasScript?: boolean;
}

export interface Visit {
  readonly page: Page;
  /** Console errors, script errors and violations of the content security policy. */
  readonly problems: string[];
}

/** The `onTestFinished` of vitest. */
type Finish = (end: () => Promise<void>) => void;

export function stage(): Stage {
  const provided = inject('stage');
  if (provided === undefined)
    throw new Error('Chromium is missing. Install Chromium, or set CHROMIUM_PATH to its program.');
  return provided;
}

let browser: Promise<Browser> | undefined;
let operator: Promise<Operator> | undefined;

async function openContext(options: VisitOptions): Promise<BrowserContext> {
  const {
    theme = 'light',
    width = 1280,
    height = 800,
    locale = 'en-GB',
    as,
    url = stage().url,
    hasPolicy = true,
    hasScript = true,
  } = options;
  browser ??= chromium.connect(stage().browser);
  return (await browser).newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale,
    bypassCSP: !hasPolicy,
    javaScriptEnabled: hasScript,
    // A headless browser does not grant this permission after a click, unlike a visible one.
    permissions: ['clipboard-write'],
    ...(as && { storageState: storageStateOf(as, url) }),
  });
}

/** The first operator of the shared service, who is an owner. */
export const owner = (): Promise<Operator> => {
  operator ??= signIn(stage());
  return operator;
};

async function recordProblems(context: BrowserContext, problems: string[]): Promise<void> {
  // The browser logs only some policy violations to the console.
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

/** Opens a new browser context, which is closed after the test. */
export async function visit(finish: Finish, options: VisitOptions = {}): Promise<Visit> {
  const context = await openContext(options);
  finish(() => context.close());
  const problems: string[] = [];
  await recordProblems(context, problems);
  return { page: await context.newPage(), problems };
}
