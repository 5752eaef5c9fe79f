import { ServiceError } from '../errors.js';

/** Which calls of a connection a person is asked about before they run. */
export interface ApprovalPolicy {
  readonly default: 'always' | 'destructive' | 'never';
  /** By the tool's name, in the place of the default. */
  readonly tools: Readonly<Record<string, 'always' | 'never'>>;
}

interface JudgedTool {
  readonly name: string;
  readonly hints: { readonly destructive: boolean };
}

const NOBODY_IS_ASKED: ApprovalPolicy = { default: 'never', tools: {} };

/** From the column, which this module wrote. */
export const readPolicy = (column: string | null): ApprovalPolicy =>
  column === null ? NOBODY_IS_ASKED : JSON.parse(column);

/** For the column. */
export const writePolicy = (policy: ApprovalPolicy): string | null =>
  policy.default === 'never' && Object.keys(policy.tools).length === 0 ? null : JSON.stringify(policy);

/** The tools of the catalogue by their names. */
export type KnownTools = ReadonlyMap<string, { readonly connector: string }>;

/** Before a tool whose name is misspelt nobody would be asked. */
export function checkPolicy({ tools }: ApprovalPolicy, connectorId: string, known: KnownTools): void {
  const other = Object.keys(tools).find((name) => known.get(name)?.connector !== connectorId);
  if (other === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `"${other}" is no tool of "${connectorId}"; GET /v1/tools?connector=${connectorId} lists them.`,
  );
}

/** Whether the connection wants a person to be asked before this tool runs. */
export function asksBefore(policy: ApprovalPolicy | undefined, { name, hints }: JudgedTool): boolean {
  if (policy === undefined) return false;
  const own = Object.hasOwn(policy.tools, name) ? policy.tools[name] : policy.default;
  return own === 'always' || (own === 'destructive' && hints.destructive);
}

const READS = ['GET', 'HEAD'];

interface JudgedRequest {
  readonly method: string;
  /** Whether it holds other requests, whose methods nobody looks at. */
  readonly isBatch: boolean;
}

/**
 * What a proxied request does upstream nobody knows but the upstream, so no sentence can be made of it, and it could do what
 * a tool may not without a person: where anybody is asked about anything, it only reads; where about everything, it is none.
 */
export function checkProxied(policy: ApprovalPolicy | undefined, { method, isBatch }: JudgedRequest): void {
  if (policy === undefined) return;
  const asksAny = policy.default !== 'never' || Object.values(policy.tools).includes('always');
  if (!asksAny || (policy.default !== 'always' && !isBatch && READS.includes(method))) return;
  throw new ServiceError(
    'forbidden',
    'A person is asked before calls of this connection run, and a proxied request cannot be put into words for them. Use a tool, or change what the connection asks for.',
    { reason: 'approval' },
  );
}
