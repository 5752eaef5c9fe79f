import { existsSync } from 'node:fs';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

const DEBIANS = '/usr/bin/chromium';

/** Where Chromium is: `CHROMIUM_PATH`, or where Debian's package puts it. */
export function findChromium(): string | undefined {
  const place = process.env['CHROMIUM_PATH'] ?? DEBIANS;
  return existsSync(place) ? place : undefined;
}

/** It asks nobody but the pages that it is given, and has a new profile each time. Its own walls do not stand for root. */
export const launchOptions = (executablePath: string): LaunchOptions => ({
  executablePath,
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});

/** A browser that several processes use. */
export const launchChromium = (executablePath: string): Promise<BrowserServer> =>
  chromium.launchServer(launchOptions(executablePath));
