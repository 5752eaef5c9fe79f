import type { Server } from 'node:http';
import type { Catalog } from '@svc/catalog';
import type { Config } from '../config/config.js';
import type { Log } from '../log/log.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';

// Types that the package exports. They must not import types of bundled packages, because users do not install those.

export interface EmbeddedAppOptions {
  readonly config: Config;
  readonly log: Log;
  /** Version that the service reports. */
  readonly version: string;
  /** Origins of the sandbox. Each connector may call its emulated upstream there. */
  readonly emulatedOrigins?: readonly AllowedOrigin[] | undefined;
}

export interface EmbeddedConnection {
  readonly connectionName: string;
  readonly connector: string;
  readonly authType: string | null;
  readonly redirectUri: string | null;
  readonly baseUrl: string | null;
}

export interface EmbeddedConnectionSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly baseUrl?: string;
  readonly hosts?: Readonly<Record<string, string>>;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
}

/** Service inside another program, as `@svc/testing` starts it. */
export interface EmbeddedApp {
  readonly server: { readonly server: Server; close(): PromiseLike<unknown> };
  readonly applications: {
    create(name: string): Promise<{ readonly id: string; readonly clientSecret: string }>;
  };
  readonly connections: {
    get(applicationId: string, connectionName: string): Promise<EmbeddedConnection>;
    create(
      applicationId: string,
      connection: { readonly connectionName: string; readonly connector: string },
    ): Promise<EmbeddedConnection>;
    update(
      applicationId: string,
      connectionName: string,
      settings: EmbeddedConnectionSettings,
    ): Promise<EmbeddedConnection>;
  };
  readonly catalog: Catalog;
  /** Makes `/readyz` report success. */
  readonly becomeReady: () => void;
  /** Listens on an address. The first call opens the port of the service, the second call opens the proxy port. */
  readonly listen: (address: { readonly host: string; readonly port: number }) => Promise<void>;
}
