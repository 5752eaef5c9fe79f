import type { ConnectedAccount } from '@svc/core';
import { startSandbox } from '@svc/sandbox';
import { type Video, video } from '@svc/video';
import { expect, vi } from 'vitest';
import { listForSandbox } from '../service/allowed-origins.js';
import { type Application, type Reply, signIn } from '../service/application.js';
import { connectAccount, type Service, startService } from '../service/service.js';
import { executeTool } from '../tools/execute-tool.js';
import { recordTools, type ToolRecord } from '../tools/record-tools.js';

/** Fixed current time of the sandbox and its statistics. */
const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface VideoService {
  readonly service: Service;
  readonly application: Application;
  readonly account: ConnectedAccount;
  readonly record: ToolRecord;
  readonly tools: Video;
  /** Executes a tool by its name without the prefix `video_`, with an untyped input. */
  execute(tool: string, toolInput: object): Promise<Reply>;
  /** Expects that the tool input breaks this rule, and that no upstream request is sent. */
  expectRefused(tool: string, toolInput: object, rule: string): Promise<void>;
  /** Executes the tool, and returns the query of its only upstream request. */
  sentQuery(tool: string, toolInput: object): Promise<Readonly<Record<string, string>>>;
  /** Clears the recorded requests and the planned upstream failures. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

interface VideoOptions {
  /** Origin that tools may read links of, although it is not public. */
  readonly linkOrigin?: string;
  /** More environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the service and a sandbox of the video platform, with a user who has a channel and a fixed clock. */
export async function startVideo({ linkOrigin, env = {} }: VideoOptions = {}): Promise<VideoService> {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const sandbox = await startSandbox({ connectors: ['video'], rateLimits: false });
  const links = linkOrigin === undefined ? [] : [`links=${linkOrigin}`];
  const origins = [listForSandbox(sandbox), ...links].join(',');
  const service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins, ...env } });
  const application = await signIn(service);
  const record = recordTools(service, 'video');
  const account = await connectAccount(service, 'video');
  const execute = (tool: string, toolInput: object) =>
    executeTool(application, `video_${tool}`, { connectedAccountId: account.id, toolInput });

  return {
    service,
    application,
    account,
    record,
    tools: video(record, account),
    execute,
    async expectRefused(tool, toolInput, rule) {
      const reply = await execute(tool, toolInput);
      const errors = expect.arrayContaining([expect.objectContaining({ rule })]);
      expect(reply.json()).toMatchObject({ error: { code: 'invalid_input', details: { errors } } });
      expect(await sandbox.requests()).toEqual([]);
    },
    async sentQuery(tool, toolInput) {
      await execute(tool, toolInput);
      const [request, ...more] = await sandbox.requests();
      expect(more).toEqual([]);
      return Object.fromEntries(new URLSearchParams(request?.query));
    },
    async clear() {
      await sandbox.clearRequests();
      await sandbox.dials('video', { failNext: null });
    },
    async stop() {
      await service.stop();
      vi.useRealTimers();
    },
  };
}
