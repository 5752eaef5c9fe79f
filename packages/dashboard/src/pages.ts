import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { Overview } from './pages/overview/overview.tsx';
import { Unloaded } from './pages/unloaded.tsx';
import { PATHS } from './paths.ts';

type Load = () => Promise<ComponentType>;

/**
 * Functions that load the scripts of the pages, by path. Their order is the order in which the router matches paths.
 */
const FILES: Readonly<Record<string, Load>> = {
  [PATHS.connections]: async () => (await import('./pages/connections/connections.tsx')).Connections,
  [PATHS.newConnection]: async () => (await import('./pages/connections/new-connection.tsx')).NewConnection,
  [PATHS.connection]: async () => (await import('./pages/connections/connection.tsx')).Connection,
  [PATHS.accounts]: async () => (await import('./pages/accounts/accounts.tsx')).Accounts,
  [PATHS.account]: async () => (await import('./pages/accounts/account.tsx')).Account,
  [PATHS.tools]: async () => (await import('./pages/tools/tools.tsx')).Tools,
  [PATHS.tool]: async () => (await import('./pages/tools/tool.tsx')).ToolPage,
  [PATHS.approvals]: async () => (await import('./pages/approvals/approvals.tsx')).Approvals,
  [PATHS.approval]: async () => (await import('./pages/approvals/approval.tsx')).ApprovalPage,
  [PATHS.agents]: async () => (await import('./pages/agents/agents.tsx')).Agents,
  [PATHS.executions]: async () => (await import('./pages/executions/executions.tsx')).Executions,
  [PATHS.execution]: async () => (await import('./pages/executions/execution.tsx')).ExecutionPage,
  [PATHS.webhooks]: async () => (await import('./pages/webhooks/webhooks.tsx')).Webhooks,
  [PATHS.webhookEndpoint]: async () => (await import('./pages/webhooks/endpoint.tsx')).EndpointPage,
  [PATHS.delivery]: async () => (await import('./pages/webhooks/delivery.tsx')).DeliveryPage,
  [PATHS.event]: async () => (await import('./pages/webhooks/event.tsx')).EventPage,
  [PATHS.user]: async () => (await import('./pages/users/user.tsx')).UserPage,
  [PATHS.search]: async () => (await import('./pages/search/search.tsx')).SearchPage,
  [PATHS.applications]: async () => (await import('./pages/application/applications.tsx')).Applications,
  [PATHS.application]: async () => (await import('./pages/application/application.tsx')).ApplicationPage,
  [PATHS.audit]: async () => (await import('./pages/audit/audit.tsx')).Audit,
  [PATHS.health]: async () => (await import('./pages/health/health.tsx')).HealthPage,
  [PATHS.operators]: async () => (await import('./pages/operators/operators.tsx')).Operators,
  [PATHS.profile]: async () => (await import('./pages/profile/profile.tsx')).Profile,
};

export const NAV: readonly { readonly path: string; readonly group: string; readonly title: string }[] = [
  { path: PATHS.overview, group: '', title: 'Overview' },
  { path: PATHS.connections, group: 'Agent authentication', title: 'Connections' },
  { path: PATHS.accounts, group: 'Agent authentication', title: 'Connected accounts' },
  { path: PATHS.tools, group: 'Tools', title: 'Tools' },
  { path: PATHS.approvals, group: 'Tools', title: 'Approvals' },
  { path: PATHS.agents, group: 'Tools', title: 'Agents' },
  { path: PATHS.executions, group: 'Tools', title: 'Executions' },
  { path: PATHS.application, group: 'Application', title: 'Developer settings' },
  { path: PATHS.webhooks, group: 'Application', title: 'Webhooks' },
  { path: PATHS.audit, group: 'Service', title: 'Audit log' },
  { path: PATHS.health, group: 'Service', title: 'Health' },
  { path: PATHS.operators, group: 'Service', title: 'Operators' },
];

/**
 * All pages of the dashboard. The first script contains the overview, because most visits start there. Other pages are
 * loaded on demand.
 */
export const PAGES: readonly { readonly path: string; readonly component: ComponentType }[] = [
  { path: PATHS.overview, component: Overview },
  ...Object.entries(FILES).map(([path, load]) => ({
    path,
    component: lazy(() => load().catch(() => Unloaded)),
  })),
];

// Some browsers never retry a failed script. In this case the page `Unloaded` offers to reload the window.
const preload = (load: Load): Promise<unknown> => load().catch(() => undefined);

/** Starts to load the script of a page, so that it loads in parallel with the page's data. */
export function loadPageOf(address: string): void {
  const match = Object.entries(FILES).find(([path]) => exec(address, path));
  if (match) preload(match[1]);
}

/** Loads the scripts of all pages in the navigation, one after another, while the browser is idle. */
export function loadPagesWhenIdle(): void {
  const waiting = NAV.flatMap(({ path }) => FILES[path] ?? []);
  const next = () =>
    globalThis.requestIdleCallback?.(async () => {
      const load = waiting.shift();
      if (load) await preload(load).then(next);
    });
  next();
}
