/**
 * Path prefix of the service, such as `/svc`; empty if the service has its own host. The service writes it into the
 * page. Unit tests run without a document, so the prefix is empty there.
 */
export const BASE_PATH =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['basePath'] ?? '');

/** URL of the service, as this browser sees it. */
export const serviceUrl = (): string => location.origin + BASE_PATH;
