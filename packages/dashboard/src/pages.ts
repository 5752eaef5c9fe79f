import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { Unloaded } from './pages/unloaded.tsx';
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

/** A page that is loaded when it is first gone to. */
const page = (load: () => Promise<ComponentType>): ComponentType => lazy(() => load().catch(() => Unloaded));

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/dashboard',
    component: page(() => import('./pages/overview/overview.tsx').then(({ Overview }) => Overview)),
    nav: { group: '', title: 'Overview' },
  },
  {
    path: PATHS.connections,
    component: page(() =>
      import('./pages/connections/connections.tsx').then(({ Connections }) => Connections),
    ),
    nav: { group: AUTHENTICATION, title: 'Connections' },
  },
  {
    path: PATHS.newConnection,
    component: page(() =>
      import('./pages/connections/new-connection.tsx').then(({ NewConnection }) => NewConnection),
    ),
  },
  {
    path: PATHS.connection,
    component: page(() => import('./pages/connections/connection.tsx').then(({ Connection }) => Connection)),
  },
  {
    path: PATHS.accounts,
    component: page(() => import('./pages/accounts/accounts.tsx').then(({ Accounts }) => Accounts)),
    nav: { group: AUTHENTICATION, title: 'Connected accounts' },
  },
  {
    path: PATHS.account,
    component: page(() => import('./pages/accounts/account.tsx').then(({ Account }) => Account)),
  },
  {
    path: PATHS.tools,
    component: page(() => import('./pages/tools/tools.tsx').then(({ Tools }) => Tools)),
    nav: { group: 'Tools', title: 'Tools' },
  },
  {
    path: PATHS.tool,
    component: page(() => import('./pages/tools/tool.tsx').then(({ ToolPage }) => ToolPage)),
  },
  {
    path: PATHS.approvals,
    component: page(() => import('./pages/approvals/approvals.tsx').then(({ Approvals }) => Approvals)),
    nav: { group: 'Tools', title: 'Approvals' },
  },
  {
    path: PATHS.approval,
    component: page(() => import('./pages/approvals/approval.tsx').then(({ ApprovalPage }) => ApprovalPage)),
  },
  {
    path: PATHS.agents,
    component: page(() => import('./pages/agents/agents.tsx').then(({ Agents }) => Agents)),
    nav: { group: 'Tools', title: 'Agents' },
  },
  {
    path: PATHS.executions,
    component: page(() => import('./pages/executions/executions.tsx').then(({ Executions }) => Executions)),
    nav: { group: 'Tools', title: 'Executions' },
  },
  {
    path: PATHS.execution,
    component: page(() =>
      import('./pages/executions/execution.tsx').then(({ ExecutionPage }) => ExecutionPage),
    ),
  },
  {
    path: PATHS.applications,
    component: page(() =>
      import('./pages/application/applications.tsx').then(({ Applications }) => Applications),
    ),
  },
  {
    path: PATHS.application,
    component: page(() =>
      import('./pages/application/application.tsx').then(({ ApplicationPage }) => ApplicationPage),
    ),
    nav: { group: 'Application', title: 'Developer settings' },
  },
  {
    path: PATHS.audit,
    component: page(() => import('./pages/audit/audit.tsx').then(({ Audit }) => Audit)),
    nav: { group: 'Service', title: 'Audit log' },
  },
  {
    path: PATHS.health,
    component: page(() => import('./pages/health/health.tsx').then(({ HealthPage }) => HealthPage)),
    nav: { group: 'Service', title: 'Health' },
  },
  {
    path: PATHS.operators,
    component: page(() => import('./pages/operators/operators.tsx').then(({ Operators }) => Operators)),
    nav: { group: 'Service', title: 'Operators' },
  },
  {
    path: PATHS.profile,
    component: page(() => import('./pages/profile/profile.tsx').then(({ Profile }) => Profile)),
  },
];
