import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../packages/dashboard/test/support/chromium.ts';

const INSTALL = 'apt-get install -y -qq --no-install-recommends chromium-headless-shell';
const LONGEST_MS = 4 * 60_000;

/**
 * Installs Debian's Chromium. Runs `apt-get update` only if apt does not know the package, because updates take long.
 */
const installs = () =>
  spawnSync('sh', ['-c', `${INSTALL} || { apt-get update -qq && ${INSTALL}; }`], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: LONGEST_MS,
  }).status === 0;

function bring(): string | undefined {
  const browser = findChromium();
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (browser !== undefined || !mayInstall || process.env['CHROMIUM_PATH'] !== undefined) return browser;
  console.log(
    `Chromium is missing. Installing the Debian package of Chromium for the browser tests (${INSTALL}) …`,
  );
  return installs() ? findChromium() : undefined;
}

/** Installs Debian's Chromium if it is missing and the user is root. Sets `CHROMIUM_PATH` for child processes. */
export function bringChromium(): void {
  const chromium = bring();
  if (chromium !== undefined) process.env['CHROMIUM_PATH'] = chromium;
  else
    console.log(
      'Chromium is missing, so the browser tests are skipped. Install Chromium, or set CHROMIUM_PATH to its program.',
    );
}
