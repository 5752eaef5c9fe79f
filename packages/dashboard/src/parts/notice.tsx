import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/api-error.ts';
import { PATHS, withQuery } from '../paths.ts';

interface NoticeProps {
  readonly tone?: 'good' | 'warn' | 'bad';
  readonly children: ComponentChildren;
}

export const Notice = ({ tone, children }: NoticeProps) => (
  <div class={`notice ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : undefined}>
    {children}
  </div>
);

const messageOf = (error: unknown): string =>
  error instanceof Error
    ? error.message
    : 'This page failed. Reload the page. If it fails again, report the error to the operator of the service.';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** Shows the message of an error, with the request ID, by which operators find the request in the log. */
export const ErrorNotice = ({ error, retry }: ErrorNoticeProps) => (
  <Notice tone="bad">
    <p>{messageOf(error)}</p>
    {error instanceof ApiError && error.requestId !== undefined && (
      <p class="soft">
        Request ID{' '}
        <a href={withQuery(PATHS.search, { q: error.requestId })}>
          <code>{error.requestId}</code>
        </a>
      </p>
    )}
    {retry && (
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
    )}
  </Notice>
);
