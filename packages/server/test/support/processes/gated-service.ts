import type { Client } from '@svc/core';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { listForSandbox } from '../service/allowed-origins.js';
import {
  type Application,
  clientOf,
  connectToSandbox,
  type SandboxConnection,
  signIn,
} from '../service/application.js';
import { type Gate, startGate } from './gate.js';
import { newSettings, type RunOptions, type ServiceProcess, startProcess } from './service-process.js';

/** Service process that reaches the sandbox through a gate, with a connection to each emulated service. */
export interface GatedService {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly gate: Gate;
  readonly application: Application;
  readonly svc: Client;
  readonly connection: (id: string) => SandboxConnection;
  /** Returns the current process, which `crash` replaces. */
  readonly process: () => ServiceProcess;
  /** Kills the process with SIGKILL and starts a new process on the same data. The sandbox keeps its state. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface GatedServiceOptions extends RunOptions {
  /** More entries for SVC_ALLOWED_ORIGINS, in addition to the sandbox and the gate. */
  readonly origins?: readonly string[];
}

export async function startGatedService(
  connectors: readonly string[],
  { origins = [], flags = [], env = {} }: GatedServiceOptions = {},
): Promise<GatedService> {
  const sandbox = await startSandbox({ connectors, rateLimits: false });
  const gate = await startGate(sandbox.url);
  const allowed = ['--allowed-origins', [listForSandbox(sandbox, [gate.url]), ...origins].join()];
  const settings = await newSettings({ flags: [...allowed, ...flags], env });
  let running = await startProcess(settings);
  const { url } = running;
  const application = await signIn(running);
  const connections = new Map<string, SandboxConnection>();
  for (const id of connectors) {
    connections.set(id, await connectToSandbox(application, sandbox, { id, origin: gate.url }));
  }
  return {
    url,
    connection: (id) => {
      const connection = connections.get(id);
      if (connection === undefined) throw new Error(`The service was started without "${id}".`);
      return connection;
    },
    sandbox,
    gate,
    application,
    svc: clientOf(settings, url),
    process: () => running,
    async crash() {
      await running.kill();
      running = await startProcess(settings);
    },
    async stop() {
      await running.kill();
      await gate.stop();
      await sandbox.stop();
    },
  };
}
