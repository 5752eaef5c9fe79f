import { expect, onTestFinished, test, vi } from 'vitest';

test('the application is found in the path of a page, also if the service is below a path of its host', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: { basePath: '/svc' } } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { matchPath } = await import('./application-choice.tsx');
  expect(matchPath('/svc/dashboard/applications/app_1/approvals')?.slice(1)).toEqual(['app_1', 'approvals']);
  expect(matchPath('/svc/dashboard/health')).toBeNull();
});
