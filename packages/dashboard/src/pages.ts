import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { PATHS } from './paths.ts';

const AUTHENTICATION = 'Agent authentication';

/** A page of the dashboard. */
export interface PageEntry {
  /** As the router takes it. */
  readonly path: string;
  readonly component: ComponentType;
  /** Where the navigation has it; absent: another page leads there. */
  readonly nav?: { readonly group: string; readonly title: string };
}

/** The address of a page, its parameters filled in. */
export const hrefOf = (path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** Every page, in the order of the navigation. Each is loaded when it is first gone to. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/dashboard',
    component: lazy(() => import('./pages/overview/overview.tsx').then(({ Overview }) => Overview)),
    nav: { group: '', title: 'Overview' },
  },
  {
    path: PATHS.connections,
    component: lazy(() =>
      import('./pages/connections/connections.tsx').then(({ Connections }) => Connections),
    ),
    nav: { group: AUTHENTICATION, title: 'Connections' },
  },
  {
    path: PATHS.newConnection,
    component: lazy(() =>
      import('./pages/connections/new-connection.tsx').then(({ NewConnection }) => NewConnection),
    ),
  },
  {
    path: PATHS.connection,
    component: lazy(() => import('./pages/connections/connection.tsx').then(({ Connection }) => Connection)),
  },
  {
    path: PATHS.accounts,
    component: lazy(() => import('./pages/accounts/accounts.tsx').then(({ Accounts }) => Accounts)),
    nav: { group: AUTHENTICATION, title: 'Connected accounts' },
  },
  {
    path: PATHS.account,
    component: lazy(() => import('./pages/accounts/account.tsx').then(({ Account }) => Account)),
  },
  {
    path: PATHS.tools,
    component: lazy(() => import('./pages/tools/tools.tsx').then(({ Tools }) => Tools)),
    nav: { group: 'Tools', title: 'Tools' },
  },
  {
    path: PATHS.tool,
    component: lazy(() => import('./pages/tools/tool.tsx').then(({ ToolPage }) => ToolPage)),
  },
  {
    path: PATHS.approvals,
    component: lazy(() => import('./pages/approvals/approvals.tsx').then(({ Approvals }) => Approvals)),
    nav: { group: 'Tools', title: 'Approvals' },
  },
  {
    path: PATHS.approval,
    component: lazy(() => import('./pages/approvals/approval.tsx').then(({ ApprovalPage }) => ApprovalPage)),
  },
  {
    path: PATHS.agents,
    component: lazy(() => import('./pages/agents/agents.tsx').then(({ Agents }) => Agents)),
    nav: { group: 'Tools', title: 'Agents' },
  },
  {
    path: PATHS.executions,
    component: lazy(() => import('./pages/executions/executions.tsx').then(({ Executions }) => Executions)),
    nav: { group: 'Tools', title: 'Executions' },
  },
  {
    path: PATHS.execution,
    component: lazy(() =>
      import('./pages/executions/execution.tsx').then(({ ExecutionPage }) => ExecutionPage),
    ),
  },
  {
    path: PATHS.applications,
    component: lazy(() =>
      import('./pages/application/applications.tsx').then(({ Applications }) => Applications),
    ),
  },
  {
    path: PATHS.application,
    component: lazy(() =>
      import('./pages/application/application.tsx').then(({ ApplicationPage }) => ApplicationPage),
    ),
    nav: { group: 'Application', title: 'Developer settings' },
  },
  {
    path: PATHS.audit,
    component: lazy(() => import('./pages/audit/audit.tsx').then(({ Audit }) => Audit)),
    nav: { group: 'Service', title: 'Audit log' },
  },
  {
    path: PATHS.health,
    component: lazy(() => import('./pages/health/health.tsx').then(({ HealthPage }) => HealthPage)),
    nav: { group: 'Service', title: 'Health' },
  },
  {
    path: PATHS.operators,
    component: lazy(() => import('./pages/operators/operators.tsx').then(({ Operators }) => Operators)),
    nav: { group: 'Service', title: 'Operators' },
  },
  {
    path: PATHS.profile,
    component: lazy(() => import('./pages/profile/profile.tsx').then(({ Profile }) => Profile)),
  },
];
