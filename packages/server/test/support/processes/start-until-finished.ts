import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TestContext } from 'vitest';
import { newPort } from './new-port.js';
import { type ServiceProcess, type ServiceSettings, startProcess } from './service-process.js';

export type Finish = TestContext['onTestFinished'];

/** Starts a service process that is killed when the test ends. */
export async function startUntilFinished(
  settings: ServiceSettings,
  onTestFinished: Finish,
): Promise<ServiceProcess> {
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  return service;
}

/** Occupies a port with a server of the test. `free` closes the server. */
export async function takePort(onTestFinished: Finish) {
  const port = await newPort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: String(port), free: () => new Promise((resolve) => server.close(resolve)) };
}
