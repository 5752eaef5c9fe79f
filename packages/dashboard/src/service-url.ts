/**
 * Path prefix of the service, such as `/svc`. Empty if the service has its own host. The service writes the prefix into
 * the page. Unit tests have no document, so their prefix is empty.
 */
export const BASE_PATH =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['basePath'] ?? '');

/** Returns the URL of the service as this browser sees it. */
export const serviceUrl = (): string => location.origin + BASE_PATH;
