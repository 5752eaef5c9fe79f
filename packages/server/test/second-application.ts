import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Application, signIn } from './application.js';
import type { Service } from './service.js';

/** Another tenant of the same service, signed in. The service itself makes only one. */
export async function addApplication({ app, url, data }: Service, clientId: string): Promise<Application> {
  const database = new Sqlite(path.join(data, 'svc.db'));
  const insert = 'INSERT INTO applications (id, name, created_at) VALUES (?, ?, ?)';
  database.prepare(insert).run(clientId, 'Another application', Date.now());
  database.close();
  const { clientSecret } = await app.applications.addClientSecret(clientId);
  return signIn({ url, clientId, clientSecret });
}
