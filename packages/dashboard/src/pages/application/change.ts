import { call, type Given } from '../../api/call.ts';
import type { Application } from '../../application-choice.tsx';
import { loadApplications } from '../../application-choice.tsx';

export interface ChangeProps {
  readonly application: Application;
  /** Given what it has become. */
  readonly onChange: () => void;
}

/** Changes the application, and the list of them that the frame shows. */
export async function changeApplication(
  applicationId: string,
  body: Given<'PATCH /operator/v1/applications/{applicationId}'>['body'],
): Promise<void> {
  await call('PATCH /operator/v1/applications/{applicationId}', { path: { applicationId }, body });
  await loadApplications();
}
