import { createTenant, type TenantOptions } from './create-tenant.js';

export const HOUR_MS = 3_600_000;

/** Creates a tenant (an application with a connection) and connects one account. */
export async function createConnected(options: TenantOptions = {}) {
  const tenant = await createTenant(options);
  const resolved = await tenant.connect('ada');
  const refreshes = () => tenant.upstream.tokenRequests('refresh_token');
  return { ...tenant, resolved, refreshes };
}

export type Connected = Awaited<ReturnType<typeof createConnected>>;
