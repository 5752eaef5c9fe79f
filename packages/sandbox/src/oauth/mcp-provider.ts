import { type Configuration, errors } from 'oidc-provider';
import type { McpProfile } from './profile.js';

type Features = NonNullable<Configuration['features']>;

interface Issued {
  readonly baseUrl: string;
  /** Life of the next access token in seconds. */
  accessTokenSeconds(): number;
}

/** What the rules of MCP add to an authorization server. */
export function mcpFeatures(
  { resourcePath, resourceScopes }: McpProfile,
  { baseUrl, accessTokenSeconds }: Issued,
): Pick<Features, 'registration' | 'resourceIndicators'> {
  const resource = baseUrl + resourcePath;
  return {
    registration: { enabled: true, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      defaultResource() {
        throw new errors.InvalidTarget('resource is required');
      },
      // Exactly as the metadata has it: another slash at the end is another resource.
      getResourceServerInfo(_ctx, requested) {
        if (requested !== resource) throw new errors.InvalidTarget(`resource must be ${resource}`);
        return {
          scope: resourceScopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: accessTokenSeconds(),
        };
      },
    },
  };
}
