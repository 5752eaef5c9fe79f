import type { Page } from 'playwright-core';

/** Adds the passkey "phone" on a virtual authenticator that always verifies its user. */
export async function addPasskey(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const protocol = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...protocol, ...verified } });
  await page.getByLabel('Name of the new passkey').fill('phone');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('cell', { name: 'phone', exact: true }).waitFor();
}
