import { schemas as calendar } from '@svc/calendar/schemas/anthropic-strict';
import { schemas as openai } from '@svc/calendar/schemas/openai-strict';
import { schemas as workspace } from '@svc/workspace/schemas/anthropic-strict';
import { describe, expect, test } from 'vitest';
import { aiTools } from '../src/ai.js';
import { anthropicTools } from '../src/anthropic.js';
import { type ToolSchema, tools } from '../src/index.js';
import { spendStrict } from '../src/spend-strict.js';
import { recordedClient } from './support/recorded-client.js';

const { client } = recordedClient();
const schemas = { ...calendar, ...workspace };
const agentTools = tools(client, { schemas, accounts: { calendar: 'acct_1', workspace: 'acct_2' } });
const strictNames = (options = {}) =>
  anthropicTools(agentTools, options)
    .filter(({ strict }) => strict)
    .map(({ name }) => name as keyof typeof schemas);

describe('the strict tools of a request to Anthropic', () => {
  test('stay within the budget of 20 tools, 24 optional fields and 16 unions', () => {
    const costs = strictNames().map((name) => schemas[name].cost);
    const sum = (key: keyof (typeof costs)[number]) => costs.reduce((total, cost) => total + cost[key], 0);
    expect(costs.length).toBeGreaterThan(5);
    expect(sum('tools')).toBeLessThanOrEqual(20);
    expect(sum('optional')).toBeLessThanOrEqual(24);
    expect(sum('unions')).toBeLessThanOrEqual(16);
  });

  test.each(['tools', 'optional', 'unions'] as const)(
    'exclude a tool whose %s cost exceeds the budget',
    (part) => {
      const budget = { tools: 1, optional: 3, unions: 2 };
      const cost = { tools: 1, optional: 3, unions: 2 };
      const [tool] = Object.values(agentTools);
      if (tool === undefined) throw new Error('There is no tool.');
      expect(spendStrict([{ ...tool, cost }], budget).size).toBe(1);
      expect(spendStrict([{ ...tool, cost }], { ...budget, [part]: budget[part] - 1 }).size).toBe(0);
    },
  );

  test('are the same in the AI SDK; a vendor without a budget gets all tools as strict', () => {
    const strictIn = (prepared: Readonly<Record<string, { readonly strict: boolean }>>) =>
      Object.keys(prepared).filter((name) => prepared[name]?.strict);
    const asIs = (schema: unknown) => schema;
    expect(strictIn(aiTools(agentTools, asIs).tools)).toEqual(strictNames());
    const budget = { tools: 1 };
    expect(strictIn(aiTools(agentTools, asIs, { budget }).tools)).toEqual(strictNames({ budget }));
    const ofOpenai = tools(client, { schemas: openai, accounts: { calendar: 'acct_1' } });
    expect(strictIn(aiTools(ofOpenai, asIs).tools)).toEqual(Object.keys(openai));
  });

  test('include destructive tools first', () => {
    const strict = new Set(strictNames());
    const destructive = Object.values<ToolSchema>(schemas).filter(({ hints }) => hints.destructive);
    const optional = destructive.filter(({ name }) => strict.has(name as keyof typeof schemas)).map(costOf);
    const left = 24 - optional.reduce((total, cost) => total + cost, 0);
    const passedOver = destructive.filter(({ name }) => !strict.has(name as keyof typeof schemas));
    for (const tool of passedOver) expect(costOf(tool), tool.name).toBeGreaterThan(left);
    expect(strict).toContain('calendar_delete_event');
  });

  test('respect a smaller budget that leaves room for strict tools of the program', () => {
    expect(strictNames({ budget: { tools: 1 } })).toHaveLength(1);
    expect(strictNames({ budget: { tools: 0 } })).toEqual([]);
  });

  test.each([{ budget: undefined }, { budget: { tools: undefined } }, { budget: {} }])(
    'use the whole budget with %j',
    (options) => {
      expect(strictNames(options)).toEqual(strictNames());
      expect(strictNames().length).toBeGreaterThan(5);
    },
  );

  test('are listed without the strict flag if the budget is 0', () => {
    const prepared = anthropicTools(agentTools, { budget: { tools: 0 } });
    expect(prepared.map(({ name }) => name)).toEqual(Object.keys(schemas));
    expect(prepared.every((tool) => !('strict' in tool))).toBe(true);
  });
});

function costOf({ cost }: ToolSchema): number {
  return cost?.optional ?? 0;
}
