import { selectVersion } from '@svc/catalog';
import { InvalidInputError, UpstreamError } from '@svc/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/rejection.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { emulatedConnectors } from '../support/tools/emulated-connectors.js';
import { validatorOf } from '../support/tools/validator-of.js';

// Fixed clock. Each tool runs with the input of its first example, and all times in these inputs are before NOW.
const NOW = Date.parse('2026-11-20T12:00:00Z');
const cases = emulatedConnectors.flatMap(({ id, tools }) =>
  tools.map((tool) => ({
    connector: id,
    tool,
    toolName: tool.name,
    toolInput: tool.examples[0]?.input ?? {},
  })),
);

let service: Service;
const accounts = new Map<string, string>();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  service = await startService();
  for (const { id } of emulatedConnectors) accounts.set(id, (await connectAccount(service, id)).id);
});

afterAll(async () => {
  await service.stop();
  vi.useRealTimers();
});

const execute = (toolName: string, connector: string, toolInput: Readonly<Record<string, unknown>>) =>
  service.svc.executeTool({ toolName, connectedAccountId: accounts.get(connector) ?? '', toolInput });

describe('an unknown input field is refused as the connector package predicts, and nothing is sent', () => {
  test.each(cases)('$toolName', async ({ connector, tool, toolName, toolInput }) => {
    await service.sandbox.clearRequests();
    const input = { ...toolInput, no_such_field: 1 };
    const errors = (await validatorOf(tool, selectVersion(tool))).problems(input);
    expect(errors).toMatchObject([{ field: 'no_such_field', rule: 'additionalProperties' }]);
    const error = await rejection(execute(toolName, connector, input));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ errors });
    expect(await service.sandbox.requests(connector)).toEqual([]);
  });
});

describe('a 422 of the upstream is returned as an upstream error without a retry', () => {
  test.each(cases)('$toolName', async ({ connector, toolName, toolInput }) => {
    await service.sandbox.clearRequests();
    await service.sandbox.dials(connector, { failNext: { count: 5, status: 422 } });
    const error = await rejection(execute(toolName, connector, toolInput));
    await service.sandbox.dials(connector, { failNext: null });
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ status: 422 });
    const failed = (await service.sandbox.requests(connector)).filter(({ status }) => status === 422);
    // The MCP client sends `server/discover` before the call. Its 422 is ignored, because only the call counts.
    const refused = failed.filter(({ headers }) => headers['mcp-method'] !== 'server/discover');
    expect(refused).toHaveLength(1);
  });
});
