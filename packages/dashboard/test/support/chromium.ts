import { existsSync } from 'node:fs';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

/** The first one has no windows, and takes three quarters of the CPU time for the same pages. */
const DEBIANS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Where Chromium is: `CHROMIUM_PATH`, or where Debian's packages put it. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: given } = process.env;
  return (given === undefined ? DEBIANS : [given]).find((place) => existsSync(place));
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
