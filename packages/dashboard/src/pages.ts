import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { Overview } from './pages/overview/overview.tsx';
import { Unloaded } from './pages/unloaded.tsx';
import { PATHS } from './paths.ts';

const AUTHENTICATION = 'Agent authentication';

interface Page {
  /** As the router takes it. */
  readonly path: string;
  /** Where the navigation has it; absent: another page leads there. */
  readonly nav?: { readonly group: string; readonly title: string };
}

/** A page in a file of its own. */
interface PageFile extends Page {
  readonly load: () => Promise<ComponentType>;
}

/** A page as the router has it. */
export interface PageEntry extends Page {
  readonly component: ComponentType;
}

/** The page that most begin with comes with what every page needs. */
const FIRST: PageEntry = {
  path: PATHS.overview,
  component: Overview,
  nav: { group: '', title: 'Overview' },
};

/** The other pages, in the order of the navigation. */
const FILES: readonly PageFile[] = [
  {
    path: PATHS.connections,
    load: () => import('./pages/connections/connections.tsx').then(({ Connections }) => Connections),
    nav: { group: AUTHENTICATION, title: 'Connections' },
  },
  {
    path: PATHS.newConnection,
    load: () => import('./pages/connections/new-connection.tsx').then(({ NewConnection }) => NewConnection),
  },
  {
    path: PATHS.connection,
    load: () => import('./pages/connections/connection.tsx').then(({ Connection }) => Connection),
  },
  {
    path: PATHS.accounts,
    load: () => import('./pages/accounts/accounts.tsx').then(({ Accounts }) => Accounts),
    nav: { group: AUTHENTICATION, title: 'Connected accounts' },
  },
  {
    path: PATHS.account,
    load: () => import('./pages/accounts/account.tsx').then(({ Account }) => Account),
  },
  {
    path: PATHS.tools,
    load: () => import('./pages/tools/tools.tsx').then(({ Tools }) => Tools),
    nav: { group: 'Tools', title: 'Tools' },
  },
  {
    path: PATHS.tool,
    load: () => import('./pages/tools/tool.tsx').then(({ ToolPage }) => ToolPage),
  },
  {
    path: PATHS.approvals,
    load: () => import('./pages/approvals/approvals.tsx').then(({ Approvals }) => Approvals),
    nav: { group: 'Tools', title: 'Approvals' },
  },
  {
    path: PATHS.approval,
    load: () => import('./pages/approvals/approval.tsx').then(({ ApprovalPage }) => ApprovalPage),
  },
  {
    path: PATHS.agents,
    load: () => import('./pages/agents/agents.tsx').then(({ Agents }) => Agents),
    nav: { group: 'Tools', title: 'Agents' },
  },
  {
    path: PATHS.executions,
    load: () => import('./pages/executions/executions.tsx').then(({ Executions }) => Executions),
    nav: { group: 'Tools', title: 'Executions' },
  },
  {
    path: PATHS.execution,
    load: () => import('./pages/executions/execution.tsx').then(({ ExecutionPage }) => ExecutionPage),
  },
  {
    path: PATHS.applications,
    load: () => import('./pages/application/applications.tsx').then(({ Applications }) => Applications),
  },
  {
    path: PATHS.application,
    load: () => import('./pages/application/application.tsx').then(({ ApplicationPage }) => ApplicationPage),
    nav: { group: 'Application', title: 'Developer settings' },
  },
  {
    path: PATHS.audit,
    load: () => import('./pages/audit/audit.tsx').then(({ Audit }) => Audit),
    nav: { group: 'Service', title: 'Audit log' },
  },
  {
    path: PATHS.health,
    load: () => import('./pages/health/health.tsx').then(({ HealthPage }) => HealthPage),
    nav: { group: 'Service', title: 'Health' },
  },
  {
    path: PATHS.operators,
    load: () => import('./pages/operators/operators.tsx').then(({ Operators }) => Operators),
    nav: { group: 'Service', title: 'Operators' },
  },
  {
    path: PATHS.profile,
    load: () => import('./pages/profile/profile.tsx').then(({ Profile }) => Profile),
  },
];

/** Every page. A file is loaded when it is first gone to, if it is not there yet. */
export const PAGES: readonly PageEntry[] = [
  FIRST,
  ...FILES.map((page) => ({ ...page, component: lazy(() => page.load().catch(() => Unloaded)) })),
];

// What did not come some browsers do not ask for again: its page says so then, and how to try again.
const loadAhead = ({ load }: PageFile): Promise<unknown> => load().catch(() => undefined);

/** Begins to load the page of an address: what it shows can be asked for meanwhile. */
export function loadPageOf(address: string): void {
  const page = FILES.find(({ path }) => exec(address, path));
  if (page) loadAhead(page);
}

/** Loads what the navigation leads to, a file at a time, while the browser has nothing else to do. */
export function loadPagesWhenIdle(): void {
  const waiting = FILES.filter(({ nav }) => nav);
  const next = () =>
    globalThis.requestIdleCallback?.(async () => {
      const page = waiting.shift();
      if (page) await loadAhead(page).then(next);
    });
  next();
}
