import { type Application, signIn } from './application.js';
import type { Service } from './service.js';

/** Another tenant of the same service, signed in. */
export async function addApplication({ app, url }: Service): Promise<Application> {
  const { id: clientId, clientSecret } = await app.applications.create('Another application');
  return signIn({ url, clientId, clientSecret });
}
