/**
 * Path of the service below its host, such as `/svc`; empty for a service with a host of its own. The service writes it into the page.
 * Tests read paths outside a browser.
 */
export const BASE_PATH =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['basePath'] ?? '');

/** URL of the service, as this browser sees it. */
export const serviceUrl = (): string => location.origin + BASE_PATH;
