import type { AccountName, CallOptions, Client, ProxyRequest } from '@svc/core';
import { filePath } from './file-path.js';
import type { DriveItem, FileLocation } from './resources.js';

/** Methods of the API client that the ready-made functions of this folder call. */
export type RecipeClient = Pick<Client, 'request' | 'call'>;

/** Sends requests to the upstream's API as one account, and returns the data of the responses. */
export interface Requests {
  send<Data>(request: Omit<ProxyRequest, keyof AccountName>, options?: CallOptions): Promise<Data>;
  getFile(file: FileLocation, options?: CallOptions): Promise<DriveItem>;
}

export function createRequests(client: RecipeClient, { connectionName, identifier }: AccountName): Requests {
  const send: Requests['send'] = async <Data>(
    request: Omit<ProxyRequest, keyof AccountName>,
    options?: CallOptions,
  ) => (await client.request<Data>({ ...request, connectionName, identifier }, options)).data;
  return {
    send,
    getFile: async (file, options) => send({ method: 'GET', path: filePath(file) }, options),
  };
}
