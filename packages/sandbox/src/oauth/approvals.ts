/** What a person allowed a client, for as long as it is not revoked. */
export interface Approval {
  readonly grantId: string;
  readonly clientId: string;
  readonly personId: string;
  readonly scopes: readonly string[];
  readonly refreshToken: boolean;
  /** The authorization request that was approved. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Approvals {
  add(approval: Approval): void;
  get(grantId: string): Approval | undefined;
  /** The live approvals of one person for one client. */
  between(clientId: string, personId: string): Approval[];
  remove(grantId: string): void;
  clear(): void;
}

export function createApprovals(): Approvals {
  const approvals = new Map<string, Approval>();
  return {
    add: (approval) => void approvals.set(approval.grantId, approval),
    get: (grantId) => approvals.get(grantId),
    between: (clientId, personId) =>
      [...approvals.values()].filter(
        (approval) => approval.clientId === clientId && approval.personId === personId,
      ),
    remove: (grantId) => void approvals.delete(grantId),
    clear: () => approvals.clear(),
  };
}
