const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Returns the port of an http or https URL, including a default port that the URL does not contain. */
export function portOf(url: string): number | undefined {
  const { port, protocol } = new URL(url);
  return port === '' ? DEFAULT_PORTS[protocol] : Number(port);
}
