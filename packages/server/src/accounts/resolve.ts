/** An account that may be used: everything that the way to the upstream needs, and no secret. */
export interface ResolvedAccount {
  readonly id: string;
  readonly applicationId: string;
  readonly identifier: string;
  readonly connectionId: string;
  readonly connectionName: string;
  /** Id of the connector in the catalogue. */
  readonly connector: string;
  /** The connection's own base URL, or the connector's. No slash at the end. */
  readonly baseUrl: string;
}

/** Finds accounts. Throws connection_not_found, account_not_found or account_not_authorized. */
export interface Resolve {
  byIdentifier(applicationId: string, connectionName: string, identifier: string): Promise<ResolvedAccount>;
  byId(applicationId: string, accountId: string): Promise<ResolvedAccount>;
}
