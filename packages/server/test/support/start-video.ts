import { type Video, video } from '@svc/video';
import { expect, vi } from 'vitest';
import { type Reply, signIn } from '../application.js';
import { connectAccount, type Service, startService } from '../service.js';
import { executeTool } from './execute-tool.js';
import { recordTools, type ToolRecord } from './record-tools.js';

/** Fixed time of the sandbox and its figures. */
const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface VideoService {
  readonly service: Service;
  readonly record: ToolRecord;
  readonly tools: Video;
  /** One plain call of a tool, named without its prefix, whatever its input. */
  execute(tool: string, toolInput: object): Promise<Reply>;
  /** Proves that the input breaks the rule, and that nothing is sent. */
  expectRefused(tool: string, toolInput: object, rule: string): Promise<void>;
  /** The query of the one request that the tool makes. */
  sentQuery(tool: string, toolInput: object): Promise<Readonly<Record<string, string>>>;
  /** Forgets what was sent and what was to fail. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** The service with a sandbox of the video platform, and a user who has a channel, at a moment that does not pass. */
export async function startVideo(): Promise<VideoService> {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const service = await startService({ connectors: ['video'] });
  const application = await signIn(service);
  const record = recordTools(service, 'video');
  const account = await connectAccount(service, 'video');
  const { sandbox } = service;
  const execute = (tool: string, toolInput: object) =>
    executeTool(application, `video_${tool}`, { connectedAccountId: account.id, toolInput });

  return {
    service,
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
