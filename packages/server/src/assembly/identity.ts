import { createApplications } from '../applications/applications.js';
import { createOrigins } from '../applications/origins.js';
import { createRemoveApplication, type RemoveApplicationParts } from '../applications/remove-application.js';
import { createSignIn } from '../applications/sign-in.js';
import { createSignInLimits } from '../limits/sign-in-limits.js';
import { createSignInRefusals } from '../limits/sign-in-refusals.js';
import type { Commit } from '../records/commit.js';
import { createNarrowedTokens } from '../tokens/narrowed-tokens.js';
import { createTokenUses } from '../tokens/token-uses.js';
import type { CoreParts } from './core-parts.js';
import { createOperatorAccess } from './operator-access.js';

interface IdentityParts {
  readonly commit: Commit;
  readonly connections: RemoveApplicationParts['connections'];
}

/** Creates the components that identify callers: operators, and applications with their secrets and tokens. */
export function createIdentity(
  { caller, digest, environmentUrl, lock, now, random, storage }: CoreParts,
  { commit, connections }: IdentityParts,
) {
  const origins = createOrigins({ storage, now });
  const narrowedTokens = createNarrowedTokens({ storage, commit, digest, environmentUrl, now, random });
  const applications = createApplications({
    storage,
    commit,
    lock,
    origins,
    narrowedTokens,
    digest,
    now,
    random,
  });
  const signInRefusals = createSignInRefusals({ commit, caller });
  const { operatorSessions, operatorSignIn, operators, ownPassword, passkeys, passkeySignIn, signInLinks } =
    createOperatorAccess({ storage, commit, lock, digest, environmentUrl, signInRefusals, now, random });
  return {
    applications,
    narrowedTokens,
    operators,
    operatorSessions,
    operatorSignIn,
    origins,
    ownPassword,
    passkeys,
    passkeySignIn,
    removeApplication: createRemoveApplication({ storage, applications, connections, commit }),
    signIn: createSignIn({ applications, narrowedTokens, signInLimits: createSignInLimits({ now }) }),
    signInLinks,
    signInRefusals,
    tokenUses: createTokenUses({ storage, environmentUrl, now }),
  };
}
