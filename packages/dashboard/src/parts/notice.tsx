import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/api-error.ts';

interface NoticeProps {
  readonly tone?: 'good' | 'warn' | 'bad';
  readonly children: ComponentChildren;
}

export const Notice = ({ tone, children }: NoticeProps) => (
  <div class={`notice ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : undefined}>
    {children}
  </div>
);

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong on this page.';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** An error in words, with the request id for the log. */
export const ErrorNotice = ({ error, retry }: ErrorNoticeProps) => (
  <Notice tone="bad">
    <p>{sentenceOf(error)}</p>
    {error instanceof ApiError && error.requestId !== undefined && (
      <p class="soft">
        Request <code>{error.requestId}</code>
      </p>
    )}
    {retry && (
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
    )}
  </Notice>
);
