import { ServiceError } from '../errors.js';
import type { CheckHost } from '../http/check-host.js';
import { type IsAllowedOrigin, WEBHOOK_ORIGINS } from '../names/allowed-origins.js';
import { urlFormProblem } from '../text/url-form.js';

const MAX_URL_CHARACTERS = 2048;

const invalid = (problem: string) => {
  const message = `"url" ${problem}. Send a URL such as https://hooks.example.com/svc.`;
  return new ServiceError('invalid_request', message, { errors: [{ field: 'url', message }] });
};

/**
 * Returns the problem with a webhook endpoint's URL as the end of a sentence. Returns `undefined` if the URL is valid.
 */
function problemOf(value: string, isAllowedOrigin: IsAllowedOrigin): string | undefined {
  if (value.length > MAX_URL_CHARACTERS) return `is longer than ${MAX_URL_CHARACTERS} characters`;
  const problem = urlFormProblem(value);
  if (problem !== undefined) return problem;
  const { protocol, port, origin } = new URL(value);
  if (protocol === 'https:' && port === '') return undefined;
  if (isAllowedOrigin(WEBHOOK_ORIGINS, origin)) return undefined;
  return 'is not https on port 443, and its origin is not listed for webhooks in SVC_ALLOWED_ORIGINS';
}

/**
 * Creates the function that checks a webhook endpoint's URL and refuses hosts with private addresses. Each delivery
 * checks the address again, because DNS may change (rule N3 in security-rules.md).
 */
export function createCheckAddress({
  isAllowedOrigin,
  checkHost,
}: {
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly checkHost: CheckHost;
}) {
  return async function checkAddress(value: string): Promise<string> {
    const problem = problemOf(value, isAllowedOrigin);
    if (problem !== undefined) throw invalid(problem);
    const { origin, hostname } = new URL(value);
    if (!isAllowedOrigin(WEBHOOK_ORIGINS, origin) && !(await checkHost(hostname)))
      throw invalid(
        'has no public address, and its origin is not listed for webhooks in SVC_ALLOWED_ORIGINS',
      );
    return value;
  };
}

export type CheckAddress = ReturnType<typeof createCheckAddress>;
