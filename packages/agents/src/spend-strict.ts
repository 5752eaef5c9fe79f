import { LIMITS } from '@svc/catalog/dialects';
import type { AgentTool } from './agent-tool.js';
import type { Cost } from './tool-schema.js';

/** Part of Anthropic's limits for one model request that tools with `strict: true` may use. */
export interface Budget {
  /** Maximum number of such tools. Default: 20. */
  readonly tools?: number | undefined;
  /** Maximum number of their optional properties. Default: 24. */
  readonly optional?: number | undefined;
  /** Maximum number of their unions. Default: 16. */
  readonly unions?: number | undefined;
}

/**
 * Selects the tools that get `strict: true` in one model request, so that the model's arguments always match their
 * schemas. Anthropic limits such tools, their optional properties and their unions per request. Destructive tools are
 * selected first, then tools that write, then the others, until a limit is reached.
 */
export function spendStrict(tools: readonly AgentTool[], budget: Budget = {}): ReadonlySet<string> {
  const limits = { tools: 0, optional: 0, unions: 0, ...LIMITS['anthropic-strict'].perRequest };
  const left = {
    tools: budget.tools ?? limits.tools,
    optional: budget.optional ?? limits.optional,
    unions: budget.unions ?? limits.unions,
  };
  const strict = new Set<string>();
  for (const { name, cost } of tools.toSorted((a, b) => rank(a) - rank(b))) {
    if (cost === undefined || !hasRoom(left, cost)) continue;
    left.tools -= cost.tools;
    left.optional -= cost.optional;
    left.unions -= cost.unions;
    strict.add(name);
  }
  return strict;
}

const rank = ({ hints }: AgentTool): number => (hints.destructive ? 0 : hints.readOnly ? 2 : 1);

const hasRoom = (left: Cost, cost: Cost): boolean =>
  cost.tools <= left.tools && cost.optional <= left.optional && cost.unions <= left.unions;
