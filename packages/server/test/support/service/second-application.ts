import { type Application, signIn } from './application.js';
import type { Service } from './service.js';

/** Adds another application (tenant) to the service, and signs in as it. */
export async function addApplication({ app, url }: Service): Promise<Application> {
  const { id: clientId, clientSecret } = await app.applications.create('Another application');
  return signIn({ url, clientId, clientSecret });
}
