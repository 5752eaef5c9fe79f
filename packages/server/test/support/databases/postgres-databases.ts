import { Client } from 'pg';

export async function onServer<Row extends object>(url: string, command: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(command)).rows;
  } finally {
    await client.end();
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database on this server, empty or as a copy of `template`, and returns its URL. */
export async function addDatabase(server: string, name: string, template?: string): Promise<string> {
  await onServer(server, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  return databaseUrl(server, name);
}
